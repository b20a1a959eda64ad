export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Never given titles, notes, passwords or URLs with credentials in them. */
export type Log = (level: LogLevel, message: string) => void;

export const noLog: Log = () => {};
