import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Editor, type OwnTools, offerToEditor } from '../../src/commands/agents/offerToEditor';
import { tools } from '../../src/mcp/tools';

interface Offered {
  readonly servers: string[];
  readonly tools: Map<string, (input: unknown) => Promise<object>>;
  readonly contexts: string[];
}

class Disposable {
  constructor(readonly dispose: () => void) {}
  static from = (...all: { dispose(): unknown }[]) => new Disposable(() => all.forEach(each => void each.dispose()));
}

/** Of the editor's interface what versions have of it. */
function editorWith(has: { readonly servers: boolean; readonly tools: boolean }): { editor: Editor; offered: Offered } {
  const offered: Offered = { servers: [], tools: new Map(), contexts: [] };
  const given = <T extends object>(isThere: boolean, part: T) => (isThere ? part : {});
  const registerTool = (name: string, { invoke }: { invoke(options: { input: unknown }): Promise<object> }) => {
    offered.tools.set(name, input => invoke({ input }));
    return new Disposable(() => offered.tools.delete(name));
  };
  const registerMcpServerDefinitionProvider = (
    id: string,
    { provideMcpServerDefinitions: give }: { provideMcpServerDefinitions(): object[] },
  ) => {
    offered.servers.push(`${id} ${JSON.stringify(give())}`);
    return new Disposable(() => offered.servers.pop());
  };
  const editor = {
    Disposable,
    commands: { executeCommand: async (...args: unknown[]) => void offered.contexts.push(args.join(' ')) },
    env: { appName: 'Editor' },
    lm: {
      ...given(has.tools, { registerTool }),
      ...given(has.servers, { registerMcpServerDefinitionProvider }),
    },
    ...given(has.servers, {
      McpStdioServerDefinition: class {
        constructor(...parts: unknown[]) {
          Object.assign(this, parts);
        }
      },
    }),
    ...given(has.tools, {
      LanguageModelToolResult: class {
        constructor(readonly parts: object[]) {}
      },
      LanguageModelTextPart: class {
        constructor(readonly value: string) {}
      },
    }),
  };
  return { editor: editor as never, offered };
}

describe('agents of the editor', () => {
  const start = { runtime: 'node', args: ['cli.cjs', 'mcp'], env: { DUELINE_STORE: 'store' } };
  const own: OwnTools = {
    names: tools.map(({ name }) => name),
    call: async (name, args, client) => {
      if (name === 'undo') return { content: [{ text: 'Nothing to undo.' }], isError: true };
      return { content: [{ text: `${client}: ${name} ${JSON.stringify(args)}` }] };
    },
  };

  it('get a server where the editor takes one, and no tools beside it', () => {
    const { editor, offered } = editorWith({ servers: true, tools: true });
    const offer = offerToEditor(editor, start, own);
    assert.deepEqual(offered.servers, [
      'dueline.agents [{"0":"Dueline","1":"node","2":["cli.cjs","mcp"],"3":{"DUELINE_STORE":"store"}}]',
    ]);
    assert.equal(offered.tools.size, 0);
    assert.deepEqual(offered.contexts, []);
    offer.dispose();
    assert.deepEqual(offered.servers, []);
  });

  it('get the tools where it takes no server, as the manifest describes them', async () => {
    const { editor, offered } = editorWith({ servers: false, tools: true });
    const offer = offerToEditor(editor, start, own);
    assert.deepEqual(offered.servers, []);
    assert.deepEqual(offered.contexts, ['setContext dueline.agentTools true']);
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
    const described: { name: string; when: string; inputSchema: object }[] = contributes.languageModelTools;
    assert.deepEqual(
      described.map(({ name }) => name),
      [...offered.tools.keys()],
    );
    // Without the context they would be there beside the server.
    assert.ok(described.every(({ when }) => when === 'dueline.agentTools'));
    assert.deepEqual(
      described.map(({ inputSchema }) => inputSchema),
      JSON.parse(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))),
    );
    const found = await offered.tools.get('dueline_find_tasks')!({ query: 'x' });
    assert.deepEqual(JSON.parse(JSON.stringify(found)), { parts: [{ value: 'Editor: find_tasks {"query":"x"}' }] });
    await assert.rejects(offered.tools.get('dueline_undo')!({}), /^Error: Nothing to undo\.$/);
    offer.dispose();
    assert.equal(offered.tools.size, 0);
  });

  it('get neither in an editor that knows none of it', () => {
    const { editor, offered } = editorWith({ servers: false, tools: false });
    offerToEditor(editor, start, own).dispose();
    assert.deepEqual(offered, { servers: [], tools: new Map(), contexts: [] });
  });
});
