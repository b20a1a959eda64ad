/**
 * One VS Code glob for all files that are not searched: those of the setting `search.exclude` and of the .gitignore files at
 * the root of each folder. VS Code cannot nest braces, so globs that have some are left out.
 */
export function excludedFiles(setting: Readonly<Record<string, unknown>>, ignoreFiles: readonly string[]): string {
  // A value may also be an object that makes the glob depend on sibling files (`when`).
  const set = Object.entries(setting).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  const globs = ['**/.git', ...set, ...ignoreFiles.flatMap(globsOf)]
    .filter(glob => !/[{},\\]/.test(glob))
    .map(glob => glob.replace(/\/\*\*$/, ''));
  return `{${[...new Set(globs)].flatMap(glob => [glob, `${glob}/**`]).join()}}`;
}

/** The globs of a .gitignore (gitignore(5)). Lines with `!` are skipped: a glob cannot include files again. */
function globsOf(ignoreFile: string): string[] {
  return ignoreFile.split(/\r?\n/).flatMap(line => {
    const pattern = line.trimEnd();
    const path = pattern.replace(/^\/|\/$/g, '');
    if (path === '' || /^[#!]/.test(pattern)) return [];
    // A pattern with a slash before its end only matches paths from the folder of the .gitignore on.
    const isBound = pattern.slice(0, -1).includes('/');
    return [isBound ? path : `**/${path}`];
  });
}
