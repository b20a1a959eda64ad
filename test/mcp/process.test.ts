import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasStrace, watchProgram } from '../support/offline/trace';
import { someAgents } from './support/agents';

const program = resolve('dist/cli.cjs');
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'Raw', version: '1' } },
};
const adding = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'add_tasks', arguments: { tasks: [{ title: 'Written' }] } },
};

describe('the MCP server process', function () {
  // Each one is started.
  this.timeout(120_000);
  const agents = someAgents({ inProcesses: true });

  const start = (store: string) => {
    const child = spawn(process.execPath, [program, 'mcp', '--store', store]);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      out += text;
    });
    const answers = () =>
      out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
    return { child, answers };
  };
  const codeOf = async (child: ChildProcess) => (await once(child, 'exit'))[0];

  it('answers what was sent before standard input ended, then exits', async () => {
    const store = agents.folder();
    const { child, answers } = start(store);
    child.stdin!.end(`${JSON.stringify(hello)}\n${JSON.stringify(adding)}\n`);
    assert.equal(await codeOf(child), 0);
    assert.deepEqual(
      answers().map(({ id }) => id),
      [1, 2],
    );
    assert.equal(answers()[0].result.protocolVersion, '2024-11-05');
    const window = await agents.window(store);
    assert.deepEqual(
      window.query('').map(({ task }) => task.title),
      ['Written'],
    );
  });

  it('exits if the reader of its answers has gone', async () => {
    const { child } = start(agents.folder());
    child.stdout!.destroy();
    child.stdin!.on('error', () => {});
    const sending = setInterval(() => child.stdin!.write(`${JSON.stringify(hello)}\n`), 50);
    try {
      assert.equal(await codeOf(child), 0);
    } finally {
      clearInterval(sending);
    }
  });

  it('answers invalid requests with the error of JSON-RPC, and continues', async () => {
    const { child, answers } = start(agents.folder());
    const lines = [
      'no JSON',
      '[]',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":3,"result":{}}',
      '{"jsonrpc":"2.0","id":4,"method":"resources/list"}',
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"toString"}}',
      '{"jsonrpc":"2.0","id":"six","method":"ping"}',
      '{"jsonrpc":"2.0","id":7,"method":"ping"}',
    ];
    child.stdin!.end(`${lines.join('\n')}\r\n`);
    assert.equal(await codeOf(child), 0);
    assert.deepEqual(
      answers().map(({ id, error, result }) => [id, error?.code ?? result]),
      [
        [null, -32700],
        [null, -32600],
        [null, -32600],
        [4, -32601],
        [5, -32602],
        ['six', {}],
        [7, {}],
      ],
    );
  });

  it('refuses an unknown revision, and keeps the one that a connection began with', async () => {
    const { child, answers } = start(agents.folder());
    const about = (revision: unknown) => ({
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
    });
    const requests = [
      ['server/discover', { _meta: about('2099-01-01') }],
      ['tools/list', { _meta: about({ toString: 1, valueOf: 1 }) }],
      ['server/discover', { _meta: about('2026-07-28') }],
      ['tools/list', { _meta: about('2026-07-28') }],
      ['initialize', hello.params],
      ['subscriptions/listen', { _meta: about('2026-07-28'), notifications: { toolsListChanged: true } }],
    ];
    const lines = requests.map(([method, params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    child.stdin!.end(`${lines.join('\n')}\n`);
    assert.equal(await codeOf(child), 0);
    assert.deepEqual(
      answers().map(({ error, result }) => error?.code ?? Object.keys(result).sort()[0]),
      [-32022, -32602, '_meta', '_meta', -32022, -32603],
    );
  });

  it('reads null as absent, even for the version of a client, and tells the model about invalid arguments', async () => {
    const { child, answers } = start(agents.folder());
    const about = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: null }, roots: null },
      'io.modelcontextprotocol/clientInfo': { name: 'Raw', version: '1', title: null },
    };
    const greeting = { ...hello.params, capabilities: { roots: { listChanged: null }, sampling: null }, _meta: null };
    const call = (args: unknown, name = 'context') => ['tools/call', { name, arguments: args }];
    const session = (requests: unknown[][]) =>
      requests.map(([method, params], id) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`).join('');
    child.stdin!.end(
      session([
        ['initialize', { ...greeting, clientInfo: { name: 'Raw', title: null } }],
        ['tools/list', { cursor: null, _meta: { progressToken: null } }],
        call(null),
        call([]),
        call('{}'),
        call(7),
        call('{}', 'toString'),
        call(undefined),
      ]),
    );
    assert.equal(await codeOf(child), 0);
    const kinds = answers().map(
      ({ error, result }) => error?.code ?? result.content?.[0].text ?? Object.keys(result)[0],
    );
    const refused = 'arguments must be an object.';
    const [noStore, ...others] = [kinds.pop(), ...kinds];
    assert.match(noStore, /has no Dueline tasks/);
    assert.deepEqual(others, ['protocolVersion', 'tools', noStore, refused, refused, refused, -32602]);
    assert.equal(answers()[3].result.isError, true);

    const modern = start(agents.folder());
    const listed = { name: 'context', arguments: [], _meta: about };
    modern.child.stdin!.end(
      session([
        ['tools/call', listed],
        ['tools/list', { cursor: null, _meta: about }],
      ]),
    );
    assert.equal(await codeOf(modern.child), 0);
    const [first, second] = modern.answers();
    assert.deepEqual([first.result.content[0].text, first.result.isError], [refused, true]);
    assert.equal(first.result.resultType, 'complete');
    assert.equal(second.result.tools.length, 7);
  });

  it('answers a line that is too long with an error, and continues with the next one', async () => {
    const { child, answers } = start(agents.folder());
    const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
    child.stdin!.write(ping(1));
    for (let part = 0; part < 40; part++) child.stdin!.write('x'.repeat(100_000));
    child.stdin!.write(`\n${ping(2)}${'y'.repeat(1_500_000)}\n${ping(3)}`);
    // With their id at either end, as clients write it; an id inside a text is not the message's.
    const text = `,"id":9}${'z'.repeat(1_500_000)}`;
    child.stdin!.write(`{"jsonrpc":"2.0","id":"four","method":"x","params":${JSON.stringify({ text })}}\n`);
    child.stdin!.end(`{"method":"x","params":${JSON.stringify({ text })},"jsonrpc":"2.0","id":5}\n${ping(6)}`);
    assert.equal(await codeOf(child), 0);
    assert.deepEqual(
      answers().map(({ id, error, result }) => [id, error?.code ?? result]),
      [
        [1, {}],
        [null, -32600],
        [2, {}],
        [null, -32600],
        [3, {}],
        ['four', -32600],
        [5, -32600],
        [6, {}],
      ],
    );
  });

  it('answers a batch at once except its notifications, and accepts a byte order mark', async () => {
    const { child, answers } = start(agents.folder());
    const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const note = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    child.stdin!.end(`\ufeff${ping(1)}\n[${ping(2)},${note},7,${ping(3)}]\n[${note}]\n${ping(4)}\n`);
    assert.equal(await codeOf(child), 0);
    const [first, batch, last, ...more] = answers();
    assert.deepEqual([first.id, last.id, more], [1, 4, []]);
    assert.deepEqual(
      batch.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code]),
      [
        [2, undefined],
        [null, -32600],
        [3, undefined],
      ],
    );
  });

  it('reports to the agent that there is no store', async () => {
    const { child, answers } = start(resolve('missing'));
    child.stdin!.end(`${JSON.stringify(adding)}\n`);
    assert.equal(await codeOf(child), 0);
    const [{ result }, ...others] = answers();
    assert.deepEqual(others, []);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /missing does not exist/);
  });

  it('creates no store unless the agent adds a task', async () => {
    const store = agents.folder();
    const { child, answers } = start(store);
    const call = (name: string, id: number) => ({ ...adding, id, params: { name, arguments: {} } });
    const lines = [call('find_tasks', 1), call('context', 2), call('undo', 3)].map(line => JSON.stringify(line));
    child.stdin!.end(`${lines.join('\n')}\n`);
    assert.equal(await codeOf(child), 0);
    for (const { result } of answers()) assert.match(result.content[0].text, /has no Dueline tasks/);
    assert.equal(answers().length, 3);
    assert.deepEqual(readdirSync(store), []);
  });

  it('opens no socket in a session under strace', function () {
    if (!hasStrace()) this.skip();
    const input = `${JSON.stringify(hello)}\n${JSON.stringify(adding)}\n`;
    const { output, calls } = watchProgram([program, 'mcp', '--store', agents.folder()], input);
    assert.match(output, /Added 1/);
    assert.deepEqual(calls, []);
  });
});
