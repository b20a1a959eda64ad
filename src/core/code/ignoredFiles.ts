/**
 * One glob of VS Code for what is not searched: what the setting `search.exclude` turns off, and what the .gitignore files
 * at the root of the folders name. Globs with braces cannot be within the braces of the whole, and are left out.
 */
export function excludedFiles(setting: Readonly<Record<string, unknown>>, ignoreFiles: readonly string[]): string {
  // A value may also be a condition on the file's neighbours.
  const set = Object.entries(setting).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  const globs = ['**/.git', ...set, ...ignoreFiles.flatMap(globsOf)]
    .filter(glob => !/[{},\\]/.test(glob))
    .map(glob => glob.replace(/\/\*\*$/, ''));
  return `{${[...new Set(globs)].flatMap(glob => [glob, `${glob}/**`]).join()}}`;
}

/** The lines of a .gitignore (gitignore(5)). What a later line takes back stays out: globs cannot say it. */
function globsOf(ignoreFile: string): string[] {
  return ignoreFile.split(/\r?\n/).flatMap(line => {
    const pattern = line.trimEnd();
    const path = pattern.replace(/^\/|\/$/g, '');
    if (path === '' || /^[#!]/.test(pattern)) return [];
    // A slash before its end binds it to the folder of the file.
    const isBound = pattern.slice(0, -1).includes('/');
    return [isBound ? path : `**/${path}`];
  });
}
