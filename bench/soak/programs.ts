import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program } from '../../test/cli/support/terminal';
import { TestAgent } from '../../test/mcp/support/agents';

/** A program's own way to do the simple acts; tasks are known by their short IDs. */
export interface Way {
  readonly name: string;
  add(title: string, list: string): Promise<string>;
  rename(id: string, title: string): Promise<unknown>;
  complete(id: string): Promise<unknown>;
}

/** One start of the command line for each act. */
export function commandLine(store: string): Way {
  const run = async (...words: readonly string[]): Promise<{ tasks: { shortId: string }[] }> => {
    const args = [program, ...words, '--store', store, '--json'];
    return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
  };
  return {
    name: 'command line',
    add: async (title, list) => (await run('add', `${title} tomorrow #home`, '--list', list)).tasks[0]!.shortId,
    rename: (id, title) => run('edit', id, '--title', title),
    complete: id => run('done', id),
  };
}

/** An agent that stays. */
export async function agent(store: string): Promise<Way & { end(): Promise<void> }> {
  const client = new Client({ name: 'Soak', version: '1' });
  const args = [program, 'mcp', '--store', store];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  const agent = new TestAgent(client, 0, 'Soak');
  return {
    name: 'agent',
    add: async (title, list) =>
      (await agent.done('add_tasks', { tasks: [{ title, list, due: 'tomorrow' }] })).data.tasks[0]!.id,
    rename: (id, title) => agent.done('update_tasks', { updates: [{ id, title, tags: ['agent'] }] }),
    complete: id => agent.done('complete_tasks', { ids: [id] }),
    end: () => client.close(),
  };
}
