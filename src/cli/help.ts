import type { Command, Option } from './session';

type Options = Readonly<Record<string, Option>>;

/** The width of a terminal in POSIX. */
const columns = 80;

/** A text in lines that fit, all but the first after an indent. */
function wrapped(text: string, indent = 0): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (indent + line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

function table(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${wrapped(right, width + 4)}`).join('\n');
}

const optionRows = (options: Options) =>
  Object.entries(options).map(([name, { takes, short, help }]): [string, string] => [
    `${short ? `-${short}, ` : '    '}--${name}${takes ? ` ${takes}` : ''}`,
    help,
  ]);

export function generalHelp(commands: Readonly<Record<string, Command>>, everywhere: Options): string {
  const rows = Object.entries(commands).map(([name, { usage, summary }]): [string, string] => [
    `${name} ${usage}`,
    summary,
  ]);
  return `${wrapped('Your Dueline tasks in a terminal, with the same store, quick add, filters and undo as in the editor.')}

Usage: dueline COMMAND [OPTIONS]

${table(rows)}

Options of every command:
${table([...optionRows(everywhere), ['    --version', 'Print the version']])}

Examples:
  dueline add 'Call Bob tomorrow 3pm #work !high'
  dueline list 'due:<=today sort:priority'
  dueline done dl-k3f9

${wrapped("Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no store. Run 'dueline COMMAND --help' for details.")}
`;
}

export function commandHelp(
  name: string,
  { usage, summary, options = {}, examples }: Command,
  everywhere: Options,
): string {
  return `${wrapped(`${summary}.`)}

Usage: dueline ${name} ${usage}

Options:
${table(optionRows({ ...options, ...everywhere }))}

Examples:
${examples.map(example => `  ${example}`).join('\n')}
`;
}
