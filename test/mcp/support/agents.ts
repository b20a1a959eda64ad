import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { DuelineEngine } from '../../../src/api';
import { systemClock } from '../../../src/core/time/clock';
import { openEngine } from '../../../src/engine';
import { aStart, clock } from '../../cli/support/aStart';
import { program } from '../../cli/support/terminal';

interface Connection {
  readonly name?: string;
  /** True for the newest revision, which has no handshake. */
  readonly isNew?: boolean;
  readonly args?: readonly string[];
  readonly cwd?: string;
}

/** The lines of a start of the command line in this process, as its standard input and output have them. */
class Lines implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #start: ReturnType<typeof aStart> | undefined;

  constructor(
    readonly args: readonly string[],
    readonly surroundings: Parameters<typeof aStart>[1],
  ) {}

  async start(): Promise<void> {
    this.#start = aStart(this.args, this.surroundings);
    const buffer = new ReadBuffer();
    this.#start.received.on('data', chunk => {
      buffer.append(chunk);
      for (let message = buffer.readMessage(); message; message = buffer.readMessage()) this.onmessage?.(message);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#start!.sent.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#start?.sent.end();
    const answer = await this.#start?.answer;
    assert.deepEqual(answer, { code: 0, out: '', err: '' });
    this.onclose?.();
  }
}

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

/** The results of all tools. */
export interface Data extends Task {
  readonly tasks: readonly Task[];
  readonly ready: readonly Task[];
  readonly here: readonly Task[];
  readonly subtasks: readonly Task[];
  readonly notes?: string;
  readonly cursor?: string;
}

interface ToolResult {
  readonly text: string;
  readonly data: Data;
  readonly isError: boolean;
}

/** The official client, connected to the command line. */
export class TestAgent {
  constructor(
    readonly client: Client,
    readonly pid: number,
    readonly name: string,
  ) {}

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const { content, structuredContent, isError } = await this.client.callTool({ name, arguments: args });
    const text = (content as { text: string }[]).map(part => part.text).join('\n');
    return { text, data: structuredContent as Data, isError: isError === true };
  }

  /** The result of a tool; throws if it is an error. */
  async done(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const answer = await this.call(name, args);
    if (answer.isError) throw new Error(answer.text);
    return answer;
  }

  add = async (...titles: string[]): Promise<string[]> =>
    (await this.done('add_tasks', { tasks: titles.map(title => ({ title })) })).data.tasks.map(({ id }) => id);
}

/** Stores in folders of their own, with clients and engines on them. Each client may have a process of the built program. */
export function someAgents({ inProcesses = false } = {}) {
  const folders: string[] = [];
  const clients: Client[] = [];
  const engines: DuelineEngine[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const engine of engines.splice(0)) await engine.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'dueline-mcp-'));
    folders.push(made);
    return made;
  };
  return {
    folder,
    window: async (store: string) => {
      const engine = await openEngine({ folder: store, clock: inProcesses ? systemClock : clock });
      engines.push(engine);
      return engine;
    },
    connect: async (store: string, { name = 'Tester', isNew = false, args = [], cwd = store }: Connection = {}) => {
      const mode = isNew ? { pin: '2026-07-28' } : 'legacy';
      const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
      const env = { PATH: process.env.PATH ?? '', HOME: store, TZ: 'UTC', LANG: 'en_US.UTF-8' };
      const words = ['mcp', '--store', store, ...args];
      const child = new StdioClientTransport({ command: process.execPath, args: [program, ...words], env, cwd });
      await client.connect(inProcesses ? child : new Lines(words, { env, cwd }));
      clients.push(client);
      return new TestAgent(client, child.pid ?? process.pid, name);
    },
  };
}
