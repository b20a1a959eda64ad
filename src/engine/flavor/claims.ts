import type { Claimant, TaskClaim, TaskClaims } from '../../core/kernel/claims';
import { type Disposable, Disposables } from '../../core/kernel/events';
import type { EpochMs, Id } from '../../core/kernel/model';
import type { KeyValueWriter, Sidecar } from '../../core/kernel/sidecar';
import type { Clock } from '../../core/time/clock';
import { minuteMs } from '../../core/time/units';
import { isGone, thisProcess } from '../../process/lease';
import type { TaskStore } from '../../store/taskStore';

interface Claim extends TaskClaim {
  readonly tree?: string | undefined;
  /** The claim ends with this process; absent if each command of the agent is a process of its own. */
  readonly pid?: number;
  readonly host?: string;
  /** When a command of an agent without a process last ran, to a minute. */
  readonly seen?: EpochMs;
}

const map = 'claims';
/** A process on another computer cannot be checked, and process IDs are reused. */
const maxMs = 24 * 60 * minuteMs;
/** The time without a command after which an agent counts as ended. */
const idleMs = 30 * minuteMs;
/** How often a window checks if the process of an agent has ended without releasing its claims. */
const checkMs = 500;

/**
 * An agent's name, which is the same through the tools and in a terminal: `claude-code` is Claude Code, `codex-mcp-client` Codex,
 * `cursor-vscode` Cursor, `gemini-cli-mcp-client-dueline` Gemini CLI, and Visual Studio Code - Insiders VS Code.
 */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^visualstudiocode/, 'vscode')
    .replace(/(?<=.)(mcpclient.*|vscode|insiders)$/, '');

/**
 * True if the claim is the client's own: it was made by its connection, or by an agent of the same name in the other way
 * (through the tools or in a terminal). Agents of one name in different working trees are different agents.
 */
function isOf(claim: Claim, { name, session, isProcess, tree }: Claimant): boolean {
  if (claim.session === session) return true;
  const plain = plainName(name);
  const isElsewhere = claim.tree !== undefined && tree !== undefined && claim.tree !== tree;
  const isByTools = claim.pid !== undefined;
  return isByTools !== isProcess && plain !== '' && plain === plainName(claim.name) && !isElsewhere;
}

export interface ClaimParts {
  readonly store: Pick<TaskStore, 'sidecar' | 'tasksOfUid'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onError: (error: unknown) => void;
  readonly onChange: () => void;
}

/** The claims are in the sidecar, by UID. */
export class Claims implements TaskClaims, Disposable {
  readonly #owned = new Disposables();
  #opening: Promise<Sidecar> | undefined;
  #sidecar: Sidecar | undefined;
  #announced = '';
  #checking: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ClaimParts) {}

  async open(): Promise<void> {
    await this.#opened();
  }

  of(uid: string): TaskClaim | undefined {
    const claim = this.#sidecarOrOpen()?.get<Claim>(map, uid);
    return claim && this.#isValid(claim) ? claim : undefined;
  }

  held(): ReadonlyMap<Id, TaskClaim> {
    const all = this.#sidecarOrOpen()?.entries<Claim>(map) ?? [];
    return new Map(
      all
        .filter(([, claim]) => this.#isValid(claim))
        .flatMap(([uid, claim]) => this.parts.store.tasksOfUid(uid).map(({ id }) => [id, claim] as const)),
    );
  }

  isOthers(uids: readonly string[], client: Claimant): boolean {
    return uids.map(uid => this.of(uid)).some(claim => claim !== undefined && !isOf(claim, client));
  }

  async take(uids: readonly string[], client: Claimant) {
    const { name, session, isProcess, tree } = client;
    const sidecar = await this.#opened();
    const at = this.parts.clock.now();
    const mine: Claim = { name, session, tree, at, ...(isProcess ? thisProcess() : { seen: at }) };
    return sidecar.edit((kv): readonly string[] | undefined => {
      this.#forget(kv);
      const claims = uids.map(uid => kv.get<Claim>(map, uid));
      if (claims.some(claim => claim && !isOf(claim, client))) return undefined;
      const free = uids.filter((_, index) => !claims[index]);
      for (const uid of free) kv.set(map, uid, mine);
      return free;
    });
  }

  async renew(client: Claimant): Promise<void> {
    const now = this.parts.clock.now();
    const isDue = (claim: Claim) =>
      isOf(claim, client) && claim.seen !== undefined && this.#isValid(claim) && now - claim.seen > minuteMs;
    await this.#edit(
      (_, claim) => isDue(claim),
      claim => ({ ...claim, seen: now }),
    );
  }

  async release(client: Claimant, uids?: readonly string[]): Promise<void> {
    await this.#edit((uid, claim) =>
      uids ? uids.includes(uid) && isOf(claim, client) : claim.session === client.session,
    );
  }

  end(uids: readonly string[]): Promise<boolean> {
    return this.#edit(uid => uids.includes(uid));
  }

  /** True if there was something to change. */
  async #edit(
    matches: (uid: string, claim: Claim) => boolean,
    to: (claim: Claim) => Claim | undefined = () => undefined,
  ) {
    const sidecar = await this.#opened();
    const matching = (entries: readonly (readonly [string, Claim])[]) => entries.filter(entry => matches(...entry));
    if (matching(sidecar.entries<Claim>(map)).length === 0) return false;
    await sidecar.edit(kv => {
      for (const [uid, claim] of matching(kv.entries<Claim>(map))) kv.set(map, uid, to(claim));
    });
    return true;
  }

  dispose(): void {
    clearInterval(this.#checking);
    this.#owned.dispose();
  }

  #forget(kv: KeyValueWriter): void {
    for (const [uid, claim] of kv.entries<Claim>(map)) if (!this.#isValid(claim)) kv.set(map, uid, undefined);
  }

  #isValid = ({ pid, host = '', at, seen = at }: Claim): boolean => {
    const now = this.parts.clock.now();
    return pid === undefined ? Math.abs(now - seen) <= idleMs : !isGone({ pid, host }, now - at, maxMs);
  };

  /** Opens the sidecar at the first call. */
  #sidecarOrOpen(): Sidecar | undefined {
    if (!this.#opening) this.open().catch(this.parts.onError);
    return this.#sidecar;
  }

  #opened(): Promise<Sidecar> {
    this.#opening ??= this.parts.store.sidecar().then(sidecar => {
      this.#sidecar = sidecar;
      this.#owned.add(sidecar.onDidChange(change => change.map === map && this.#check()));
      this.#check();
      return sidecar;
    });
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Announces the claims if one of them or its age in minutes has changed. Repeats while there are some, since they lapse. */
  #check(): void {
    const now = this.parts.clock.now();
    const held = (this.#sidecar?.entries<Claim>(map) ?? []).filter(([, claim]) => this.#isValid(claim));
    clearInterval(this.#checking);
    if (held.length > 0) this.#checking = setInterval(() => this.#check(), checkMs).unref();
    const claims = JSON.stringify(
      held.map(([uid, { name, session, at }]) => [uid, name, session, Math.floor((now - at) / minuteMs)]),
    );
    const hasChanged = claims !== (this.#announced || '[]');
    this.#announced = claims;
    if (hasChanged) this.parts.onChange();
  }
}

export const createClaims = (parts: ClaimParts): Claims => new Claims(parts);
