import type { Id } from '../../core/kernel/model';
import type { Href, RemoteList } from '../remote/remote';

type Tags = Pick<RemoteList, 'syncToken' | 'ctag'>;

/**
 * The tags that lists had before their first sync: older than any listing to come, and so good to start from. Not kept
 * on the disk: only worth a request.
 */
export class InitialSyncTokens {
  readonly #seen = new Map<string, Tags>();

  note(accountId: Id, lists: readonly (Tags & Pick<RemoteList, 'href'>)[]): void {
    for (const { href, syncToken, ctag } of lists)
      if (syncToken !== null) this.#seen.set(`${accountId}:${href}`, { syncToken, ctag });
  }

  has = (accountId: Id, href: Href): boolean => this.#seen.has(`${accountId}:${href}`);

  get = (accountId: Id, href: Href): Tags | undefined => this.#seen.get(`${accountId}:${href}`);

  /** Returns such tags, once. */
  take(accountId: Id, href: Href): Tags | undefined {
    const seen = this.#seen.get(`${accountId}:${href}`);
    this.#seen.delete(`${accountId}:${href}`);
    return seen;
  }
}
