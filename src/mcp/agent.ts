import { randomUUID } from 'node:crypto';
import type { DuelineEngine } from '../api';
import type { EditClient } from '../core/kernel/editLabel';
import { isDuelineError } from '../core/kernel/errors';
import { defaultSettings } from '../core/kernel/settings';
import { sanitize } from '../core/text/cleanText';
import { Claims } from '../engine/claims';
import { CliError } from '../headless/cliError';
import { Answers, refusal, type ToolResult } from './answers';
import type { Streams } from './lines';
import { context, findTasks, getTask } from './reading';
import { beginning } from './tokens';
import type { ToolName } from './tools';
import { Visibility } from './visible';
import { addTasks, completeTasks, undo, updateTasks } from './writing';

interface AgentOptions {
  /** Opens the store, and makes it only if `mayCreate`. */
  readonly open: (mayCreate: boolean) => Promise<DuelineEngine>;
  /** Lists that it may see although they are private, in addition to those of the editor's setting. */
  readonly lists: readonly string[];
  /** The folder that the agent works in. */
  readonly cwd: () => string;
}

const maxNameLength = 60;

/** The tools' descriptions define how a text is read, whatever the user has set. */
const { quickAddSyntax, quickAddDates, quickAddLanguage } = defaultSettings;

/** Serves the tools over lines until the input ends. */
export async function serveAgent({
  version,
  streams,
  ...options
}: AgentOptions & { readonly version: string; readonly streams: Streams }): Promise<void> {
  const agent = new Agent(options);
  // A script of its own: no other command reads the protocol's package.
  const { serveLines } = require('./protocol') as typeof import('./protocol');
  try {
    await serveLines(version, streams, agent.call);
  } finally {
    // A client that no longer listens may keep it open, and the process with it.
    streams.input.destroy();
    await agent.close();
  }
}

/** One connection of a program: its name in the history, its claims, and what it asks for. */
class Agent {
  readonly #session = randomUUID();
  #engine: DuelineEngine | undefined;
  #client: EditClient | undefined;

  constructor(private readonly options: AgentOptions) {}

  /** A refusal is an answer too, so that the model can do better. */
  call = async (name: ToolName, args: unknown, client: string): Promise<ToolResult> => {
    try {
      return await this.#run(name, args as never, client);
    } catch (error) {
      if (error instanceof CliError) return refusal(brief(error.message), error.data);
      if (isDuelineError(error)) return refused(error);
      console.error(error);
      return refusal('That did not work.');
    }
  };

  async #run(name: ToolName, args: never, clientName: string): Promise<ToolResult> {
    const engine = await this.#open(clientName, name === 'add_tasks');
    const client = this.#client!;
    await engine.refresh();
    await engine.openDoneLog();
    const sidecar = await engine.sidecar();
    const listed = sidecar.get<readonly string[]>('agents', 'lists') ?? [];
    const visible = new Visibility(engine, [...this.options.lists, ...listed]);
    const answers = new Answers(engine, visible, new Claims(sidecar, engine.clock), client.session);
    switch (name) {
      case 'find_tasks':
        return findTasks(answers, args);
      case 'get_task':
        return getTask(answers, args);
      case 'add_tasks':
        return addTasks(answers, args);
      case 'update_tasks':
        return updateTasks(answers, client, args);
      case 'complete_tasks':
        return completeTasks(answers, client, args);
      case 'context':
        return context(answers, this.options.cwd());
      default:
        return undo(answers, client);
    }
  }

  async #open(name: string, mayCreate: boolean): Promise<DuelineEngine> {
    if (!this.#engine) {
      this.#engine = await this.options.open(mayCreate);
      this.#engine.configure({ quickAddSyntax, quickAddDates, quickAddLanguage });
    }
    this.#client = { name: sanitize(name).trim().slice(0, maxNameLength) || 'agent', session: this.#session };
    this.#engine.workFor(this.#client);
    return this.#engine;
  }

  /** Lets go of what it has claimed. */
  async close(): Promise<void> {
    if (!this.#engine || !this.#client || this.#engine.readOnlyReason) return;
    await new Claims(await this.#engine.sidecar(), this.#engine.clock).release(this.#client);
  }
}

/** An error repeats what was asked, however long that is. */
const brief = (message: string) => beginning(sanitize(message), 400);

/** A circle of dependencies may go through tasks that are hidden. */
function refused(error: Error & { readonly code?: string }): ToolResult {
  if (error.code === 'dependencyCircle') return refusal('These tasks would depend on each other in a circle.');
  return refusal('Refused.', [brief(error.message)]);
}
