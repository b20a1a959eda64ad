export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Never given titles, notes, passwords or URLs with credentials in them. */
export type Log = (level: LogLevel, message: string) => void;

/** Warns of each row once, however often a view meets it. */
export function warnOnce(log: Log, words: (id: number) => string): (id: number) => void {
  const reported = new Set<number>();
  return id => {
    if (!reported.has(id)) log('warn', words(id));
    reported.add(id);
  };
}

export const noLog: Log = () => {};
