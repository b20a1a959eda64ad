import type { EditClient } from '../core/kernel/editLabel';
import type { MapsWriter, Sidecar } from '../core/kernel/sidecar';
import type { Clock } from '../core/time/clock';
import { isGone, thisProcess } from '../process/lease';

/** A program works on a task: no other may change it. */
interface Claim extends EditClient {
  readonly pid: number;
  readonly host: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

const map = 'claims';
/** A process on another computer cannot be asked, and a number of a process is used again one day. */
const maxMs = 24 * 3_600_000;

/** The programs that have claimed tasks, by UID. A claim ends with its process. */
export class Claims {
  constructor(
    private readonly sidecar: Sidecar,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Undefined for a task that nobody has now. */
  of(uid: string): Claim | undefined {
    const claim = this.sidecar.get<Claim>(map, uid);
    return claim && this.#holds(claim) ? claim : undefined;
  }

  /** True if another client works on one of these tasks. */
  isOthers(uids: readonly string[], { session }: EditClient): boolean {
    return uids.map(uid => this.of(uid)).some(claim => claim !== undefined && claim.session !== session);
  }

  /** Takes all of them for the client and returns what was free before; undefined, with none taken, if another has one. */
  take(uids: readonly string[], { name, session }: EditClient): Promise<readonly string[] | undefined> {
    const mine: Claim = { name, session, ...thisProcess(), at: this.clock.now() };
    return this.sidecar.edit(maps => {
      this.#forget(maps);
      const claims = uids.map(uid => maps.get<Claim>(map, uid));
      if (claims.some(claim => claim && claim.session !== session)) return undefined;
      for (const uid of uids) maps.set(map, uid, mine);
      return uids.filter((_, at) => !claims[at]);
    });
  }

  /** Releases the client's claims on these tasks; all of them if none are named. */
  async release({ session }: EditClient, uids?: readonly string[]): Promise<void> {
    const isMine = ([uid, claim]: readonly [string, Claim]) =>
      claim.session === session && (uids?.includes(uid) ?? true);
    if (!this.sidecar.entries<Claim>(map).some(isMine)) return;
    await this.sidecar.edit(maps => {
      for (const [uid] of maps.entries<Claim>(map).filter(isMine)) maps.set(map, uid, undefined);
    });
  }

  #forget(maps: MapsWriter): void {
    for (const [uid, claim] of maps.entries<Claim>(map)) if (!this.#holds(claim)) maps.set(map, uid, undefined);
  }

  #holds = (claim: Claim): boolean => !isGone(claim, this.clock.now() - claim.at, maxMs);
}
