import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../core/time/clock';

/** A stream that texts are printed to. */
export interface Sink {
  /** The width of the terminal; undefined if the output is not a terminal. */
  readonly columns: number | undefined;
  /** Nobody reads the output any more, but the command is still carried out. */
  readonly isClosed: boolean;
  /** Returns when all of it is written, since the process ends right after. */
  write(text: string): void;
}

/** Everything that a start of the command line takes from the process that it is in. */
export interface Surroundings {
  /** The version of the program. */
  readonly version: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The absolute path of a path that may be relative to the working directory. */
  path(typed: string): string;
  readonly clock: Clock;
  readonly input: {
    /** The input is a terminal at which the user types. */
    readonly isTyped: boolean;
    /** Standard input to its end. */
    read(): Uint8Array;
  };
  readonly out: Sink;
  readonly err: Sink;
  /** Standard input and output for a program that talks and listens by turns. */
  streams(): { readonly input: Readable; readonly output: Writable };
  /** Opens a file in the user's editor, a command of a shell; resolves, when the editor ends, to how it failed if it did. */
  openEditor(editor: string, file: string): Promise<string | undefined>;
  /** Resolves when the process is asked to end. */
  ended(): Promise<void>;
}
