// A helper extension for tests: runs posted functions inside the extension host, which have `vscode`.
const { randomUUID } = require('node:crypto');
const { mkdirSync, renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const vscode = require('vscode');

exports.activate = () => {
  const folder = process.env.DUELINE_BRIDGE;
  if (!folder) return;
  vscode.debug.registerDebugAdapterDescriptorFactory('bridge', {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(idleProgram()),
  });
  vscode.commands.registerCommand('bridge.run', script => require(script).run());
  const token = randomUUID();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', async () => {
      if (request.url !== `/${token}`) return void response.writeHead(404).end();
      const answer = await evaluate(body).catch(error => ({ error: String(error?.stack ?? error) }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = address && typeof address === 'object' ? address.port : 0;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(`${file}.new`, JSON.stringify({ port, token, pid: process.pid }));
    renameSync(`${file}.new`, file);
  });
};

/** A debug adapter whose program runs until it is stopped: `vscode.debug.startDebugging(undefined, { type: 'bridge', … })`. */
function idleProgram() {
  const messages = new vscode.EventEmitter();
  return {
    onDidSendMessage: messages.event,
    /** @param {any} request */
    handleMessage({ seq, command }) {
      const body = command === 'threads' ? { threads: [] } : {};
      messages.fire({ type: 'response', seq: 0, request_seq: seq, command, success: true, body });
      if (command === 'initialize') messages.fire({ type: 'event', seq: 0, event: 'initialized' });
      if (command === 'disconnect' || command === 'terminate')
        messages.fire({ type: 'event', seq: 0, event: 'terminated' });
    },
    dispose: () => messages.dispose(),
  };
}

/** @param {string} body */
async function evaluate(body) {
  const { code, args } = JSON.parse(body);
  const work = new Function('vscode', 'require', `return (${code});`)(vscode, require);
  return { value: await work(vscode, ...args) };
}
