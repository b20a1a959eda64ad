import assert from 'node:assert/strict';
import { type Editor, offerToEditor } from '../../src/commands/agents/offerToEditor';

describe('agents of the editor', () => {
  const start = { runtime: 'node', args: ['cli.cjs', 'mcp'], env: { DUELINE_STORE: 'store' } };
  const servers: string[] = [];

  class Disposable {
    constructor(readonly dispose: () => void) {}
  }
  class McpStdioServerDefinition {
    constructor(...parts: unknown[]) {
      Object.assign(this, parts);
    }
  }
  const registerMcpServerDefinitionProvider = (
    id: string,
    { provideMcpServerDefinitions: provide }: { provideMcpServerDefinitions(): object[] },
  ) => {
    servers.push(`${id} ${JSON.stringify(provide())}`);
    return new Disposable(() => servers.pop());
  };
  const offerTo = (has: object) => offerToEditor({ Disposable, ...has } as never as Editor, start);

  it('get a server', () => {
    const offer = offerTo({ lm: { registerMcpServerDefinitionProvider }, McpStdioServerDefinition });
    assert.deepEqual(servers, [
      'dueline.agents [{"0":"Dueline","1":"node","2":["cli.cjs","mcp"],"3":{"DUELINE_STORE":"store"}}]',
    ]);
    offer.dispose();
    assert.deepEqual(servers, []);
  });

  it('get a server through Cursor’s own API, and only there', () => {
    const mcp = {
      registerServer: (server: object) => servers.push(JSON.stringify(server)),
      unregisterServer: (name: string) => servers.splice(0, 1, `no ${name}`),
    };
    const offer = offerTo({ cursor: { mcp }, lm: { registerMcpServerDefinitionProvider }, McpStdioServerDefinition });
    const server = { command: 'node', args: ['cli.cjs', 'mcp'], env: { DUELINE_STORE: 'store' } };
    assert.deepEqual(servers, [JSON.stringify({ name: 'dueline', server })]);
    offer.dispose();
    assert.deepEqual(servers.splice(0), ['no dueline']);
  });

  it('get nothing in an editor without support for servers', () => {
    for (const has of [{}, { lm: {} }, { lm: { registerMcpServerDefinitionProvider } }]) offerTo(has).dispose();
    assert.deepEqual(servers, []);
  });
});
