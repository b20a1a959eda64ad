import type { DuelineEngine } from '../../api';
import { isClosed } from '../../core/fields/status';
import type { Occurrence } from '../../core/kernel/model';
import { sanitize } from '../../core/text/cleanText';
import { CliError } from '../../programs/cliError';
import type { Command, Option, Session } from '../session';

type Commands = Readonly<Record<string, Command>>;
type Options = Readonly<Record<string, Option>>;

const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;

/** Options that take a value, so that the next word is not a command. */
const takingOptions = (options: Options) =>
  Object.entries(options).flatMap(([name, { takes }]) => (takes ? [`--${name}`] : []));

/** The kind of names that completes what an option or a command takes. */
const kindOf: Readonly<Record<string, string>> = { ID: 'ids', LIST: 'lists', TAG: 'tags' };

/** Options that take a value, by what bash does to offer values. */
function bashValues(commands: Commands, everywhere: Options): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const all = [everywhere, ...Object.values(commands).map(({ options = {} }) => options)].flatMap(
    Object.entries<Option>,
  );
  for (const [name, { takes, short, choices = [] }] of all) {
    if (!takes) continue;
    const does = `kind=${kindOf[takes] ?? ''}; words="${choices.join(' ')}"`;
    found.set(does, new Set([...(found.get(does) ?? []), `--${name}`, ...(short ? [`-${short}`] : [])]));
  }
  return found;
}

/** The kind of IDs that a command takes; undefined if it takes none. */
const idsOf = (name: string, { usage }: Command): 'ids' | 'closed' | undefined =>
  usage.startsWith('ID') ? (name === 'reopen' ? 'closed' : 'ids') : undefined;

function bash(commands: Commands, everywhere: Options): string {
  const flags = (options: Options) => Object.keys({ ...everywhere, ...options }).map(name => `--${name}`);
  const cases = Object.entries(commands).map(([name, command]) => {
    const { options = {}, choices = [] } = command;
    const ids = idsOf(name, command);
    return `    ${name}) words="${[...choices, ...flags(options)].join(' ')}"${ids ? `; kind=${ids}` : ''}; break ;;`;
  });
  return `# dueline completion bash >> ~/.bashrc
_dueline() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="${Object.keys(commands).join(' ')}" each before= kind= line
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$before" in ${takingOptions(everywhere).join('|')}) before=; continue ;; esac
    before="$each"
    case "$each" in
${cases.map(line => `  ${line}`).join('\n')}
    esac
  done
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${[...bashValues(commands, everywhere)].map(([does, options]) => `    ${[...options].join('|')}) ${does} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ -z "$kind" || "$word" = -* ]] || while IFS=$'\\t' read -r line each; do
    [[ "$line" != "$word"* ]] || COMPREPLY+=("$(printf %q "$line")")
  done < <(dueline completion "$kind" 2>/dev/null)
}
complete -o default -F _dueline dueline
`;
}

function zsh(commands: Commands, everywhere: Options): string {
  const described = (text: string) => text.replace(/[[\]:]/g, '');
  const values = (takes: string, choices: readonly string[]) => {
    if (choices.length > 0) return `(${choices.join(' ')})`;
    return takes === 'DIR'
      ? '_files -/'
      : takes === 'FILE'
        ? '_files'
        : kindOf[takes]
          ? `_dueline_${kindOf[takes]}`
          : '';
  };
  const flags = (options: Options) =>
    Object.entries(options)
      .flatMap(([name, { takes, short, help, multiple, choices = [] }]) =>
        [`--${name}`, ...(short ? [`-${short}`] : [])].map(flag =>
          quoted(
            `${multiple ? '*' : ''}${flag}[${described(help)}]${takes ? `:${takes}:${values(takes, choices)}` : ''}`,
          ),
        ),
      )
      .join(' ');
  const names = Object.entries(commands).map(([name, { summary }]) => `    ${quoted(`${name}:${described(summary)}`)}`);
  const cases = Object.entries(commands).map(([name, command]) => {
    const { options = {}, choices } = command;
    const ids = idsOf(name, command);
    const others = ids ? `'*: :_dueline_${ids}'` : "'*: :_files'";
    const words = choices ? quoted(`*: :(${choices.join(' ')})`) : others;
    return `      ${name}) _arguments ${flags({ ...everywhere, ...options })} ${words} ;;`;
  });
  return `#compdef dueline
# dueline completion zsh > "\${fpath[1]}/_dueline"
_dueline_names() {
  local -a names
  names=(\${(f)"$(dueline completion $1 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')"})
  _describe $1 names
}
_dueline_ids() { _dueline_names ids }
_dueline_closed() { _dueline_names closed }
_dueline_lists() { _dueline_names lists }
_dueline_tags() { _dueline_names tags }
_dueline() {
  local curcontext="$curcontext" state
  local -a line commands=(
${names.join('\n')}
  )
  _arguments -C ${flags(everywhere)} ': :->command' '*:: :->words'
  case "$state" in
    command) _describe command commands ;;
    words) case "$line[1]" in
${cases.join('\n')}
    esac ;;
  esac
}
# The first time that zsh calls it from a folder of fpath, it calls this whole file.
if [[ "$funcstack[1]" = _dueline ]]; then _dueline "$@"; else compdef _dueline dueline; fi
`;
}

function fish(commands: Commands, everywhere: Options): string {
  const valuesOf = ({ takes = '', choices }: Option) =>
    kindOf[takes] ? `(dueline completion ${kindOf[takes]} 2>/dev/null)` : choices?.join(' ');
  const flag = ([name, option]: [string, Option], condition: string) => {
    const { takes, help, short } = option;
    const values = valuesOf(option);
    return `complete -c dueline ${condition}-l ${name}${short ? ` -s ${short}` : ''}${takes ? (/^(?:DIR|FILE)$/.test(takes) ? ' -r' : ' -x') : ''}${values ? ` -a ${quoted(values)}` : ''} -d ${quoted(help)}`;
  };
  const named = Object.entries(commands);
  const lines = named.flatMap(([name, { usage, summary, options = {}, choices }]) => [
    `complete -c dueline -n __dueline_is -a ${name} -d ${quoted(summary)}`,
    ...(choices ? [`complete -c dueline -n '__dueline_is ${name}' -a ${quoted(choices.join(' '))}`] : []),
    ...(usage.includes('FILE') ? [`complete -c dueline -n '__dueline_is ${name}' -F`] : []),
    ...Object.entries(options).map(option => flag(option, `-n '__dueline_is ${name}' `)),
  ]);
  const common = Object.entries(everywhere).map(option => flag(option, ''));
  return [
    '# dueline completion fish > ~/.config/fish/completions/dueline.fish',
    ...isCommand(takingOptions(everywhere)),
    'complete -c dueline -f',
    ...named.flatMap(([name, command]) => {
      const ids = idsOf(name, command);
      return ids ? [`complete -c dueline -n '__dueline_is ${name}' -a '(dueline completion ${ids} 2>/dev/null)'`] : [];
    }),
    ...common,
    ...lines,
    '',
  ].join('\n');
}

/** A word of a task may be the name of a command too: the first word counts. Without an argument: whether there is none yet. */
const isCommand = (taking: readonly string[]) => [
  'function __dueline_is',
  '  set -l before',
  '  for each in (commandline -opc)[2..]',
  `    if contains -- "$before" ${taking.join(' ')}`,
  '      set before',
  '      continue',
  '    end',
  '    set before $each',
  '    string match -q -- "-*" $each; and continue',
  '    test "$each" = "$argv[1]"',
  '    return',
  '  end',
  '  test -z "$argv[1]"',
  'end',
];

const shells = { bash, zsh, fish };

const described = (engine: DuelineEngine, items: readonly Occurrence[]) =>
  items.map(({ task }) => `${engine.shortIdOf(task)}\t${sanitize(task.title ?? '')}`);

/** The names that the scripts request: one per line, followed by a tab and its meaning. */
const names: Readonly<Record<'ids' | 'closed' | 'lists' | 'tags', (engine: DuelineEngine) => readonly string[]>> = {
  ids: engine => described(engine, engine.query('sort:-modified')),
  closed: engine =>
    described(
      engine,
      // The short ID of a date of a series is that of the series.
      engine.query('show:done sort:-modified').filter(({ task }) => isClosed(task) && task.masterId === null),
    ),
  lists: engine => engine.lists().map(({ name }) => sanitize(name)),
  tags: engine => [...new Set(engine.query('').flatMap(({ task }) => task.tags))].map(sanitize).sort(),
};

/** The commands complete their own names too, so they are handed in. */
export const completionCommand = (commands: () => Commands, everywhere: Options): Command => ({
  usage: 'bash|zsh|fish',
  most: 1,
  choices: Object.keys(shells),
  summary: 'Print a script that completes commands and options in a shell',
  examples: ['source <(dueline completion bash)', 'dueline completion fish > ~/.config/fish/completions/dueline.fish'],
  async run(session: Session): Promise<void> {
    const [shell = ''] = session.words;
    if (Object.hasOwn(names, shell)) {
      session.out.print(names[shell as keyof typeof names](await session.open()).join('\n'));
      return;
    }
    if (!Object.hasOwn(shells, shell))
      throw new CliError('usage', `Name a shell, one of ${Object.keys(shells).join(', ')}, not “${sanitize(shell)}”.`);
    session.out.print(shells[shell as keyof typeof shells](commands(), everywhere));
  },
});
