import { isDeepStrictEqual } from 'node:util';
import { agentEngine } from '../agents/agentEngine';
import { askingAgent, isPerson, personVariable } from '../agents/asker';
import { AgentRules, agentQuickAdd } from '../agents/rules';
import type { DuelineEngine } from '../api';
import type { EditClient } from '../core/kernel/editLabel';
import type { EpochMs, Task } from '../core/kernel/model';
import type { EngineSettings } from '../core/kernel/settings';
import { sanitize } from '../core/text/cleanText';
import { minuteMs } from '../core/time/units';
import { createClaims } from '../engine/flavor/claims';
import type { Flavor } from '../engine/flavor/flavor';
import { openWith } from '../openWith';
import { CliError, exitCodes, refusalError } from '../programs/cliError';
import { CodeAround } from '../programs/codeAround';
import { agentTree } from '../programs/repositories';
import { editorScheme, editorSettings } from './editorSettings';
import { Output } from './output';
import { needStore, storeFolder } from './storeFolder';
import type { Surroundings } from './surroundings';

/** Options by name, as `parseArgs` returns them. */
type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly short?: string;
  /** The arguments that it takes, for help. */
  readonly takes?: string;
  /** The values to offer in a shell, if there are only a few. */
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Command {
  /** The usage after the name; a command without one takes no arguments. */
  readonly usage: string;
  /** The number of arguments, if it is fixed. */
  readonly most?: number;
  /** The possible arguments, if there are only a few. */
  readonly choices?: readonly string[];
  readonly summary: string;
  readonly options?: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
  run(session: Session): Promise<void> | void;
}

/** The BCP 47 tag of the environment's POSIX locale; C and POSIX are English. */
function localeOf(env: Surroundings['env']): string {
  const [name = ''] = (env.LC_ALL || env.LC_TIME || env.LANG || '').split(/[.@]/);
  if (name === 'POSIX') return 'en-US';
  try {
    return Intl.getCanonicalLocales(name.replace('_', '-'))[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

const withoutSync: Flavor = { name: 'offline', createSyncing: undefined, createClaims };

/** One start of the command line: its arguments, its output, and the store, opened when it is needed. */
export class Session {
  readonly out: Output;
  readonly locale: string;
  /** Not 0 if a part of the request could not be done. */
  exitCode = exitCodes.done as number;
  /** The rules of the agent that asks; undefined for the user, and until the store is open. */
  rules: AgentRules | undefined;
  /** The name of the agent that has claimed a task, “you” for the one that asks. Nobody is known until the claims are open. */
  holderOf: (task: Task) => string | undefined = () => undefined;
  /** The code of the folder that it runs in. */
  readonly code: CodeAround;
  #refreshed: EpochMs;
  readonly #agent: EditClient | undefined;
  /** The working tree that it runs in. */
  readonly #tree: string | undefined;
  #engine: DuelineEngine | undefined;
  #folder = '';
  #settings: Partial<EngineSettings> | undefined;
  /** The engine, limited to what the caller may use. */
  #open: DuelineEngine | undefined;

  constructor(
    readonly surroundings: Surroundings,
    readonly words: readonly string[],
    readonly values: Values,
  ) {
    const folder = surroundings.path('.');
    this.code = new CodeAround(folder);
    this.#refreshed = surroundings.clock.now();
    this.#tree = agentTree(folder);
    const agent = askingAgent(surroundings.env, this.#tree ?? folder);
    this.#agent = isPerson(surroundings.env) ? undefined : agent;
    this.out = new Output(surroundings, {
      isPlain: values['no-color'] === true,
      isForAgent: this.#agent !== undefined,
    });
    if (agent && !this.#agent)
      this.out.note(`dueline: ${personVariable} is set, so the rules for agents do not apply.`);
    this.locale = localeOf(surroundings.env);
  }

  text(option: string): string | undefined {
    const value = this.values[option];
    return typeof value === 'string' ? value : undefined;
  }

  all(option: string): readonly string[] {
    const value = this.values[option];
    return Array.isArray(value) ? value : [];
  }

  is(option: string): boolean {
    return this.values[option] === true;
  }

  /**
   * Opens the store with the rights of the caller. A command that only reads, or needs a task, never creates a store: a
   * mistyped folder would look like no tasks.
   */
  async open({ mayCreate = false, printsTasks = true } = {}): Promise<DuelineEngine> {
    this.#open ??= await this.#openAs(await this.openStore({ mayCreate }));
    if (printsTasks && this.is('json')) await this.openHolders();
    return this.#open;
  }

  /** Opens the engine again with the current rules, for a command that keeps running. */
  async openAgain(): Promise<DuelineEngine> {
    const now = this.surroundings.clock.now();
    // To find new files takes a walk through the whole working tree.
    if (now - this.#refreshed >= minuteMs) {
      this.code.refresh();
      this.#refreshed = now;
    }
    this.#open = await this.#openAs(await this.openStore());
    return this.#open;
  }

  async #openAs(engine: DuelineEngine): Promise<DuelineEngine> {
    if (!this.#agent) return engine;
    this.rules = await AgentRules.of(engine, { ...this.#agent, isProcess: false, tree: this.#tree });
    this.holderOf = this.rules.holderOf;
    return agentEngine(this.rules);
  }

  /** @throws CliError for an agent */
  refuseAgent(why: string): void {
    if (this.#agent) throw refusalError(why);
  }

  /** Opens the store itself, for commands with their own rules. Called again, it follows what the user has set since. */
  async openStore({ mayCreate = false, isForAgent = this.#agent !== undefined } = {}): Promise<DuelineEngine> {
    if (!this.#engine) {
      const { clock } = this.surroundings;
      const folder = storeFolder(this.text('store'), this.surroundings);
      if (!mayCreate) needStore(folder);
      this.#engine = await openWith(withoutSync, { folder, clock, locale: this.locale });
      this.#folder = folder;
      this.code.serve(this.#engine);
      this.out.scheme = editorScheme(folder);
      for (const { text } of this.#engine.notices) this.out.note(sanitize(text));
    }
    const settings = { ...editorSettings(this.#folder), ...(isForAgent && agentQuickAdd) };
    if (!isDeepStrictEqual(settings, this.#settings)) this.#engine.configure(settings);
    this.#settings = settings;
    return this.#engine;
  }

  async openClaims(): Promise<void> {
    const { claims } = await this.openStore();
    await claims?.open();
    this.holderOf = this.rules?.holderOf ?? (({ uid }) => claims?.of(uid)?.name);
  }

  /** Opens the claims to print them: tasks are shown without them if they cannot be read. */
  openHolders = (): Promise<void> => this.openClaims().catch(() => undefined);

  async close(): Promise<void> {
    await this.#engine?.close();
  }

  /** At least one word, else throws an error that names the missing argument. */
  needWords(argument: string): readonly string[] {
    if (this.words.length === 0) throw new CliError('usage', `${argument} is missing.`);
    return this.words;
  }
}
