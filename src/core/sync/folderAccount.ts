import type { Account } from '../kernel/model';

/** Its address is a `file:` URL: nothing is sent anywhere, and there is no password. */
export const isFolderAccount = ({ homeSetUrl }: Pick<Account, 'homeSetUrl'>): boolean =>
  homeSetUrl?.startsWith('file:') ?? false;
