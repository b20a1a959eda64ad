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

/** A file in which two lines describe the surroundings of the one between them. */
export const plain = `import { prepare } from './prepare';

function trimmed(input: string, options: Options): string {
  const prepared = prepare(input);
  if (options.isLoud) return prepared.toUpperCase();
  return options.isLong ? prepared : prepared.slice(0, 80);
}
`;

/** Files with TODO comments, some of which no search finds. */
export const todoFiles = {
  'src/session.ts': `import { Token } from './token';

class Session {
  // TODO: retry when the token has expired
  refresh(token: Token): string {
    return token.ask('TODO: not a comment');
  }

  close(): void {} // FIXME(ana): close the socket
}
`,
  'src/other.ts': '// HACK: as long as the server is old\nexport const other = 1;\n',
  'lib/token.py': 'def token():\n    """TODO: words"""\n    pass  # TODO: sign it\n',
  'dist/built.js': '// TODO: made by a program\n',
  'generated/made.js': '// TODO: searched by nobody\n',
  '.gitignore': 'dist/\n',
} as const;
