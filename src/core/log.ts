export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Never given titles, notes, passwords or URLs with credentials in them. */
export type Log = (level: LogLevel, message: string) => void;

/** Warns of each row once, however often a view meets it. */
export function warnOnce(log: Log, words: (id: number) => string): (id: number) => void {
  const told = new Set<number>();
  return id => {
    if (!told.has(id)) log('warn', words(id));
    told.add(id);
  };
}

export const noLog: Log = () => {};
