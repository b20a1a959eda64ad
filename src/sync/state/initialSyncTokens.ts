import type { Id } from '../../core/model';
import type { Href, RemoteList } from '../remote/remote';

/** A list's tags, read in one look. */
interface Seen {
  readonly syncToken: string;
  readonly ctag: string | null;
}

/**
 * The tags that lists had before their first sync: older than any listing to come, and so good to start from. Not kept
 * on the disk: only worth a request.
 */
export class InitialSyncTokens {
  readonly #seen = new Map<string, Seen>();

  note(accountId: Id, lists: readonly Pick<RemoteList, 'href' | 'syncToken' | 'ctag'>[]): void {
    for (const { href, syncToken, ctag } of lists)
      if (syncToken !== null) this.#seen.set(`${accountId}:${href}`, { syncToken, ctag });
  }

  has = (accountId: Id, href: Href): boolean => this.#seen.has(`${accountId}:${href}`);

  /** Gives such tags, once. */
  take(accountId: Id, href: Href): Seen | undefined {
    const seen = this.#seen.get(`${accountId}:${href}`);
    this.#seen.delete(`${accountId}:${href}`);
    return seen;
  }
}
