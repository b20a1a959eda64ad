/** One word of a POSIX shell, whatever is in it. */
export const quotedForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface Setup {
  readonly agent: string;
  /** Empty for a terminal. */
  readonly file: string;
  readonly text: string;
}

/** Its first versions take no server without these. */
const forCopilot = { type: 'local', tools: ['*'] };

/** The form in which most agents take a server. */
export const plainSetup = (program: string, more: object = {}): string =>
  JSON.stringify({ mcpServers: { dueline: { ...more, command: program, args: ['mcp'] } } });

/** The configuration for each agent: a line for a terminal, or the content of a file. */
export function setupsOf(program: string, platform: NodeJS.Platform): readonly Setup[] {
  // Windows has no `"` in paths, and its shells know no other quotes in common.
  const path = platform === 'win32' ? `"${program}"` : quotedForShell(program);
  const forOpencode = { mcp: { dueline: { type: 'local', command: [program, 'mcp'] } } };
  const forZed = { context_servers: { dueline: { command: program, args: ['mcp'] } } };
  const zedFile = platform === 'win32' ? '%APPDATA%\\Zed\\settings.json' : '~/.config/zed/settings.json';
  return [
    // Without a scope, the server would only be added for the folder of the terminal.
    { agent: 'Claude Code', file: '', text: `claude mcp add --scope user dueline -- ${path} mcp` },
    { agent: 'Codex', file: '', text: `codex mcp add dueline -- ${path} mcp` },
    { agent: 'Copilot CLI', file: '~/.copilot/mcp-config.json', text: plainSetup(program, forCopilot) },
    { agent: 'Cursor', file: '~/.cursor/mcp.json', text: plainSetup(program) },
    { agent: 'Gemini CLI', file: '~/.gemini/settings.json', text: plainSetup(program) },
    { agent: 'opencode', file: '~/.config/opencode/opencode.json', text: JSON.stringify(forOpencode) },
    { agent: 'Zed', file: zedFile, text: JSON.stringify(forZed) },
  ];
}
