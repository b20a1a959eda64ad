import { parseArgs } from 'node:util';
import { isDuelineError } from '../core/kernel/errors';
import { cleanedLines, sanitize } from '../core/text/cleanText';
import { CliError, codeOfError, exitCodes } from '../programs/cliError';
import { isOneEditAway } from '../query/help/similar';
import { addCommand } from './commands/add';
import { completionCommand } from './commands/completion';
import { exchangeCommands } from './commands/exchange';
import { mcpCommand } from './commands/mcp';
import { overviewCommands } from './commands/overview';
import { readCommands } from './commands/read';
import { standupCommands } from './commands/standup';
import { timeCommands } from './commands/time';
import { writeCommands } from './commands/write';
import { commandHelp, generalHelp } from './help';
import { Output } from './output';
import { type Command, type Option, Session } from './session';
import type { Surroundings } from './surroundings';

/**
 * The door of the command line: finds the command, runs it in a session, and turns errors into exit codes.
 *
 * Commands print results on standard output and everything else on standard error. The store is opened by the first
 * command that needs it, and only commands that add tasks create one.
 */

const globalOptions: Readonly<Record<string, Option>> = {
  store: { type: 'string', takes: 'DIR', help: 'Store folder (default: DUELINE_STORE, else the store of the editor)' },
  json: { type: 'boolean', help: 'Print JSON' },
  'no-color': { type: 'boolean', help: 'Print without colors and links, as with NO_COLOR' },
  help: { type: 'boolean', short: 'h', help: 'Show help' },
};

const commands: Readonly<Record<string, Command>> = {
  add: addCommand,
  ...readCommands,
  ...overviewCommands,
  ...writeCommands,
  ...exchangeCommands,
  ...standupCommands,
  ...timeCommands,
  mcp: mcpCommand,
  completion: completionCommand(() => commands, globalOptions),
};

/** Splits the command's name off the arguments: the first word that is neither an option nor the value of one. */
function split(args: readonly string[]): { name: string | undefined; rest: string[] } {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--store');
  return { name: args[at], rest: args.filter((_, index) => index !== at) };
}

function parsed(surroundings: Surroundings, name: string, rest: string[]): Session {
  const options = { ...globalOptions, ...commands[name]?.options };
  try {
    const config = Object.entries(options).map(([option, { type, short, multiple }]) => [
      option,
      { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) },
    ]);
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: Object.fromEntries(config) as Record<string, { type: 'string' | 'boolean' }>,
    });
    return new Session(surroundings, positionals, values);
  } catch (error) {
    const { message } = error as Error;
    const [, unknown] = /^Unknown option '(.+?)'/.exec(message) ?? [];
    const problem = unknown
      ? `Unknown option '${sanitize(unknown)}'. Put a text that begins with - after --, as in dueline ${name} -- -text.`
      : message.replace(/(?<![.!?])$/, '.');
    throw new CliError('usage', `${problem} See dueline ${name} --help.`);
  }
}

async function answer(surroundings: Surroundings, plain: Output): Promise<number> {
  const { name, rest } = split(surroundings.args);
  if (name === undefined && rest.includes('--version')) {
    plain.print(surroundings.version);
    return exitCodes.done;
  }
  if (name === undefined || name === 'help') {
    const topic = name === 'help' ? split(rest).name : undefined;
    if (topic !== undefined) plain.print(commandHelp(topic, commandNamed(topic), globalOptions));
    else if (name === 'help' || rest.includes('--help') || rest.includes('-h'))
      plain.print(generalHelp(commands, globalOptions));
    else throw new CliError('usage', generalHelp(commands, globalOptions));
    return exitCodes.done;
  }
  const command = commandNamed(name);
  const session = parsed(surroundings, name, rest);
  if (session.is('help')) {
    session.out.print(commandHelp(name, command, globalOptions));
    return exitCodes.done;
  }
  refuseWords(name, command, session.words);
  try {
    await command.run(session);
    return session.exitCode;
  } finally {
    await session.close();
  }
}

/** An argument that a command ignores would mislead: `undo ID` would undo the last change. */
function refuseWords(name: string, { usage, most = usage === '' ? 0 : undefined }: Command, words: readonly string[]) {
  const extra = most === undefined ? undefined : words[most];
  if (extra === undefined) return;
  throw new CliError('usage', `Unexpected argument “${sanitize(extra)}”. Usage: ${`dueline ${name} ${usage}`.trim()}`);
}

function unknownCommand(name: string): string {
  const names = Object.keys(commands);
  const similar = names.filter(one => isOneEditAway(name, one) || (name.length > 2 && one.startsWith(name)));
  const more = similar.length > 0 ? `Did you mean ${similar.join(' or ')}?` : `Commands: ${names.join(', ')}.`;
  return `Unknown command ${sanitize(name)}. ${more}`;
}

function commandNamed(name: string): Command {
  if (!Object.hasOwn(commands, name)) throw new CliError('usage', unknownCommand(name));
  return commands[name]!;
}

/** The message and the exit code of an error; the user sees no stack, unless it is a mistake of ours. */
function failure(error: unknown): { text: string; code: number } {
  if (error instanceof CliError)
    return { text: cleanedLines([error.message, ...error.data].join('\n')), code: exitCodes[error.exit] };
  if (isDuelineError(error))
    return { text: sanitize(error.message), code: error.kind === 'storage' ? exitCodes.store : exitCodes.refused };
  if (codeOfError(error) !== undefined) return { text: sanitize((error as Error).message), code: exitCodes.refused };
  return { text: cleanedLines((error as Error)?.stack ?? String(error)), code: exitCodes.refused };
}

/** One start of the command line, to the code that its process exits with. */
export async function run(surroundings: Surroundings): Promise<number> {
  const plain = new Output(surroundings, { isPlain: true });
  try {
    return await answer(surroundings, plain);
  } catch (error) {
    const { text, code } = failure(error);
    plain.note(`dueline: ${text}`);
    return code;
  }
}
