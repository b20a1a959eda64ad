import { percentDecoded } from '../../core/fields/percent';
import type { Account, EpochMs, Id } from '../../core/kernel/model';
import type { Calendar, CalendarTexts, OfferedCalendar, RemoteCalendars } from '../../core/meetings/calendars';
import type { MeetingWindow } from '../../core/meetings/meeting';
import { isLoopback } from '../../core/sync/loopback';
import type { Connections } from '../accounts/connections';
import { toDuelineError } from '../accounts/toDuelineError';
import { Authenticator, anonymous } from '../dav/auth';
import type { CaldavCalendars } from '../dav/caldavCalendars';
import { feedUrl, readFeed } from '../dav/feed';
import { syncMessage } from '../messages';
import { maxWait } from '../remote/backoff';
import { isRemote, RemoteError } from '../remote/remote';

interface CalendarParts {
  readonly account: (id: Id) => Account | undefined;
  readonly connections: () => Connections;
  readonly now: () => EpochMs;
  readonly signal: AbortSignal;
}

/** The whole address of a feed, which is a secret: who has it can read the calendar. */
const secretKey = (id: string): string => `feed:${id}`;

interface Wait {
  readonly until: EpochMs;
  readonly error: RemoteError;
}

/** The port to the calendars of accounts, and to feeds. */
class CalendarsElsewhere implements RemoteCalendars {
  /** By account and password, or by feed: the servers that were busy, or have refused the login. */
  readonly #waits = new Map<string, Wait>();

  constructor(private readonly parts: CalendarParts) {}

  offered = (accountId: Id): Promise<readonly OfferedCalendar[]> =>
    inWords(async () => (await this.#calendarsOf(this.#accountOf(accountId))).offered());

  read = (calendar: Calendar, window: MeetingWindow, mark: string | null): Promise<CalendarTexts | undefined> =>
    inWords(async () => {
      const { id, kind, accountId, address } = calendar;
      if (kind === 'account') {
        const account = this.#accountOf(accountId);
        const login = await this.parts.connections().admit(account);
        return this.#unlessBusy(`${account.id} ${login}`, async () =>
          (await this.#calendarsOf(account)).read(address, window, mark),
        );
      }
      return this.#unlessBusy(id, async () => {
        const kept = await this.parts.connections().secrets.get(secretKey(id));
        if (kept === undefined) throw new RemoteError('auth', syncMessage('feedAddressMissing', address));
        return this.#readFeed(feedUrl(kept), mark);
      });
    });

  /** Leaves a server alone for as long as it asks, and a server that has refused the login for an hour. */
  async #unlessBusy<T>(server: string, work: () => Promise<T>): Promise<T> {
    const wait = this.#waits.get(server);
    if (wait && this.parts.now() < wait.until) throw wait.error;
    try {
      return await work();
    } catch (error) {
      if (!isRemote(error)) throw error;
      const ms = error.details.retryAfterMs ?? (error.kind === 'auth' ? maxWait : 0);
      this.#waits.set(server, { until: this.parts.now() + ms, error });
      throw error;
    }
  }

  keepFeed = (id: string, address: string): Promise<string> =>
    inWords(async () => {
      const url = feedUrl(address);
      await this.parts.connections().secrets.set(secretKey(id), url.href);
      return url.host;
    });

  forget = (id: string): Promise<void> => this.parts.connections().secrets.delete(secretKey(id));

  #accountOf(id: Id | undefined): Account {
    const account = id === undefined ? undefined : this.parts.account(id);
    if (!account) throw new RemoteError('rejected', syncMessage('accountNotFound'));
    return account;
  }

  async #calendarsOf(account: Account): Promise<CaldavCalendars> {
    const { calendars } = await this.parts.connections().open(account, this.parts.signal);
    if (!calendars) throw new RemoteError('unsupported', syncMessage('noCalendars'));
    return calendars;
  }

  /**
   * A feed with credentials in its address is not redirected to another origin; without credentials it may be, but not
   * to this computer.
   */
  #readFeed(url: URL, mark: string | null): Promise<CalendarTexts | undefined> {
    const [username, password] = [url.username, url.password].map(percentDecoded) as [string, string];
    const hasLogin = username !== '';
    const auth = hasLogin ? new Authenticator({ username, password }) : anonymous;
    const approve = async (origin: string) => !hasLogin && !isLoopback(new URL(origin).hostname);
    const bare = new URL(url.href);
    bare.username = bare.password = '';
    const http = this.parts.connections().feedClient(bare.origin, auth, approve, this.parts.signal);
    return readFeed(http, bare.href, mark);
  }
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toDuelineError(error);
  }
}

export const calendarsElsewhere = (parts: CalendarParts): RemoteCalendars => new CalendarsElsewhere(parts);
