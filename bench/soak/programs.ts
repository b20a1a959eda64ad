import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Task } from '../../src/api';
import type { Turn } from './turn';

const program = resolve('dist/cli.cjs');

interface Answer {
  readonly tasks: readonly { readonly uid: string; readonly shortId: string; readonly title: string }[];
}

/** Where the editor keeps the store of a user. */
const storeOf = (userFolder: string) => join(userFolder, 'globalStorage/dueline.dueline/store');

/** The command line and an agent, on the store that the windows have open. */
export class Programs {
  #agent: Client | undefined;

  constructor(private readonly userFolder: string) {}

  /** Gives the act's name. */
  act(turn: Turn): Promise<string> {
    return turn.random() < 0.5 ? this.#byCommandLine(turn) : this.#byAgent(turn);
  }

  async end(): Promise<void> {
    await this.#agent?.close();
  }

  async #byCommandLine(turn: Turn): Promise<string> {
    const task = turn.take(isPlain);
    const kind = turn.random();
    if (!task || kind < 0.3) {
      const title = turn.title();
      const { tasks } = await this.#run('add', `${title} tomorrow #home`, '--list', turn.one(turn.seen.lists).name);
      turn.ledger.add({ uid: tasks[0]!.uid, title }, turn.by);
      return 'command line: add';
    }
    if (kind < 0.7) {
      const title = turn.title();
      turn.ledger.wrote(task.uid, title, turn.by);
      await this.#run('edit', String(task.id), '--title', title);
      return 'command line: edit';
    }
    turn.ledger.note(task.uid, `${turn.by} completes it`);
    await this.#run('done', String(task.id));
    return 'command line: done';
  }

  async #byAgent(turn: Turn): Promise<string> {
    const task = turn.take(isPlain);
    const kind = turn.random();
    if (!task || kind < 0.3) {
      const [title, list] = [turn.title(), turn.one(turn.seen.lists).name];
      const answer = await this.#call('add_tasks', { tasks: [{ title, list, due: 'tomorrow' }] });
      const { tasks } = await this.#run('show', answer.tasks[0]!.id);
      turn.ledger.add({ uid: tasks[0]!.uid, title }, turn.by);
      return 'agent: add_tasks';
    }
    const { tasks } = await this.#run('show', String(task.id));
    const id = tasks[0]!.shortId;
    if (kind < 0.7) {
      const title = turn.title();
      turn.ledger.wrote(task.uid, title, turn.by);
      await this.#call('update_tasks', { updates: [{ id, title, tags: ['agent'] }] });
      return 'agent: update_tasks';
    }
    turn.ledger.note(task.uid, `${turn.by} completes it`);
    await this.#call('complete_tasks', { ids: [id] });
    return 'agent: complete_tasks';
  }

  /** One start of the command line. */
  #run(...words: readonly string[]): Promise<Answer> {
    return new Promise((done, failed) => {
      const args = [program, ...words, '--json', '--store', storeOf(this.userFolder)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      const said = { out: '', err: '' };
      child.stdout.on('data', part => {
        said.out += part;
      });
      child.stderr.on('data', part => {
        said.err += part;
      });
      child.once('close', code => {
        if (code === 0) done(JSON.parse(said.out));
        else failed(new Error(`dueline ${words.join(' ')}: ${said.err}`));
      });
    });
  }

  async #call(name: string, args: Record<string, unknown>): Promise<{ tasks: readonly { id: string }[] }> {
    this.#agent ??= await this.#connect();
    const { content, structuredContent, isError } = await this.#agent.callTool({ name, arguments: args });
    if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
    return structuredContent as { tasks: readonly { id: string }[] };
  }

  async #connect(): Promise<Client> {
    const agent = new Client({ name: 'Soak', version: '1' });
    const args = [program, 'mcp', '--store', storeOf(this.userFolder)];
    await agent.connect(new StdioClientTransport({ command: process.execPath, args }));
    return agent;
  }
}

/** Open, no series, and in a list of an account. */
const isPlain = ({ status, rrule }: Task): boolean => rrule === null && status < 2;
