/** A file with a TODO comment, in which tests make tasks. */
export const source = `import { Token } from './token';

class Session {
  #token: Token | undefined;

  refresh(): void {
    // TODO: retry when the token has expired
    this.#token = requestToken(this.user);
  }

  close(): void {
    this.#token?.revoke();
  }
}
`;
