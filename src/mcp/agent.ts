import { randomUUID } from 'node:crypto';
import { clientName } from '../agents/asker';
import { AgentRules } from '../agents/rules';
import type { DuelineEngine } from '../api';
import type { Claimant } from '../core/kernel/claims';
import { isDuelineError } from '../core/kernel/errors';
import { sanitize } from '../core/text/cleanText';
import { CliError } from '../programs/cliError';
import type { CodeAround } from '../programs/codeAround';
import { agentTree } from '../programs/repositories';
import { Answers, refusal, type ToolResult } from './answers';
import type { Streams } from './lines';
import { context, findTasks, getTask } from './reading';
import { truncate } from './tokens';
import type { ToolName } from './tools';
import { addTasks, completeTasks, undo, updateTasks } from './writing';

interface AgentOptions {
  /** Opens the store, and makes it only if `mayCreate`. Asked again for each call, since the user's settings may change. */
  readonly open: (mayCreate: boolean) => Promise<DuelineEngine>;
  /** Lists that it may see although they are private, in addition to those of the editor's setting. */
  readonly lists: readonly string[];
  /** The folder that the agent works in. */
  readonly cwd: () => string;
  /** The code of that folder, refreshed for each call. */
  readonly code: CodeAround;
}

/**
 * The door of the agents' server: serves the tools over lines until the input ends.
 *
 * Agents see only tasks that the user allows, get texts of tasks as data apart from instructions, and undo only their
 * own changes.
 */
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
  #client: Claimant | undefined;

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
    await engine.refresh();
    await engine.openDoneLog();
    await engine.working.open();
    await engine.reminders.open();
    const rules = await AgentRules.of(engine, this.#client!, this.options.lists);
    this.options.code.refresh();
    const answers = new Answers(rules, this.options.code);
    switch (name) {
      case 'find_tasks':
        return findTasks(answers, args);
      case 'get_task':
        return getTask(answers, args);
      case 'add_tasks':
        return addTasks(answers, args, this.options.cwd());
      case 'update_tasks':
        return updateTasks(answers, args, this.options.cwd());
      case 'complete_tasks':
        return completeTasks(answers, args);
      case 'context':
        return context(answers, this.options.cwd());
      default:
        return undo(answers);
    }
  }

  async #open(name: string, mayCreate: boolean): Promise<DuelineEngine> {
    this.#engine = await this.options.open(mayCreate);
    const tree = agentTree(this.options.cwd());
    this.#client = { name: clientName(name), session: this.#session, isProcess: true, tree };
    return this.#engine;
  }

  /** Releases its claims. */
  async close(): Promise<void> {
    if (!this.#engine || !this.#client || this.#engine.readOnlyReason) return;
    await this.#engine.claims?.release(this.#client);
  }
}

/** An error repeats the request, however long that is. */
const brief = (message: string) => truncate(sanitize(message), 400);

/** A circle of dependencies may go through tasks that are hidden. */
function refused(error: Error & { readonly code?: string }): ToolResult {
  if (error.code === 'dependencyCircle') return refusal('These tasks would depend on each other in a circle.');
  return refusal('Refused.', [brief(error.message)]);
}
