import { CliError, sanitize } from '../../headless/cliError';
import type { Command, Option, Session } from '../session';

type Commands = Readonly<Record<string, Command>>;
type Options = Readonly<Record<string, Option>>;

const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;

function bash(commands: Commands, everywhere: Options): string {
  const flags = (options: Options) => Object.keys({ ...everywhere, ...options }).map(name => `--${name}`);
  const cases = Object.entries(commands).map(
    ([name, { options = {}, choices = [] }]) =>
      `    ${name}) words="${[...choices, ...flags(options)].join(' ')}"; break ;;`,
  );
  const taking = Object.entries(everywhere).flatMap(([name, { takes }]) => (takes ? [`--${name}`] : []));
  return `# dueline completion bash >> ~/.bashrc
_dueline() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="${Object.keys(commands).join(' ')}" each before=
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$before" in ${taking.join('|')}) before=; continue ;; esac
    before="$each"
    case "$each" in
${cases.map(line => `  ${line}`).join('\n')}
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _dueline dueline
`;
}

function zsh(commands: Commands, everywhere: Options): string {
  const described = (text: string) => text.replace(/[[\]:]/g, '');
  const flags = (options: Options) =>
    Object.entries({ ...everywhere, ...options })
      .map(([name, { takes, help }]) => quoted(`--${name}[${described(help)}]${takes ? `:${takes}:` : ''}`))
      .join(' ');
  const names = Object.entries(commands).map(([name, { summary }]) => `    ${quoted(`${name}:${described(summary)}`)}`);
  const cases = Object.entries(commands).map(
    ([name, { options = {}, choices }]) =>
      `    ${name}) _arguments ${flags(options)} ${choices ? quoted(`*: :(${choices.join(' ')})`) : "'*:: :_files'"} ;;`,
  );
  return `#compdef dueline
# dueline completion zsh > "\${fpath[1]}/_dueline"
_dueline() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
compdef _dueline dueline
`;
}

function fish(commands: Commands, everywhere: Options): string {
  const flag = ([name, { takes, help, short }]: [string, Option], condition: string) =>
    `complete -c dueline ${condition}-l ${name}${short ? ` -s ${short}` : ''}${takes ? ' -r' : ''} -d ${quoted(help)}`;
  const lines = Object.entries(commands).flatMap(([name, { summary, options = {}, choices }]) => [
    `complete -c dueline -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(choices ? [`complete -c dueline -n '__dueline_is ${name}' -a ${quoted(choices.join(' '))}`] : []),
    ...Object.entries(options).map(option => flag(option, `-n '__dueline_is ${name}' `)),
  ]);
  const common = Object.entries(everywhere).map(option => flag(option, ''));
  return [
    '# dueline completion fish > ~/.config/fish/completions/dueline.fish',
    ...isCommand,
    'complete -c dueline -f',
    ...common,
    ...lines,
    '',
  ].join('\n');
}

/** A word of a task may be the name of a command too: the first word counts. */
const isCommand = [
  'function __dueline_is',
  '  for each in (commandline -opc)[2..]',
  '    string match -q -- "-*" $each; and continue',
  '    test $each = $argv[1]',
  '    return',
  '  end',
  '  return 1',
  'end',
];

const shells = { bash, zsh, fish };

/** The commands complete their own names too, so they are handed in. */
export const completionCommand = (commands: () => Commands, everywhere: Options): Command => ({
  usage: 'bash|zsh|fish',
  most: 1,
  choices: Object.keys(shells),
  summary: 'Print a script that completes commands and options in a shell',
  examples: ['source <(dueline completion bash)', 'dueline completion fish > ~/.config/fish/completions/dueline.fish'],
  run(session: Session): void {
    const [shell = ''] = session.words;
    if (!Object.hasOwn(shells, shell))
      throw new CliError('usage', `Name a shell, one of ${Object.keys(shells).join(', ')}, not “${sanitize(shell)}”.`);
    session.out.print(shells[shell as keyof typeof shells](commands(), everywhere));
  },
});
