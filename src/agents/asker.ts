import { createHash } from 'node:crypto';
import type { EditClient } from '../core/kernel/editLabel';
import { sanitize } from '../core/text/cleanText';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that agents set for the commands that they run, with the names of the agents. The last two hold a name. */
const variables: readonly (readonly [variable: string, agent?: string])[] = [
  ['CLAUDECODE', 'Claude Code'],
  ['CURSOR_AGENT', 'Cursor'],
  ['GEMINI_CLI', 'Gemini CLI'],
  ['CODEX_THREAD_ID', 'Codex'],
  ['CODEX_SANDBOX', 'Codex'],
  ['COPILOT_CLI', 'Copilot CLI'],
  ['OPENCODE', 'opencode'],
  ['VSCODE_AGENT', 'VS Code'],
  ['AI_AGENT'],
  ['AGENT'],
];

/** A value that switches a variable on or off, and is no name. */
const isOff = (value: string | undefined): boolean => /^(0|false|no|)$/i.test(value?.trim() ?? '');
const isOn = (value: string): boolean => /^(1|true|yes)$/i.test(value.trim());

/** The variable with which a user claims a command as their own although an agent's variables are set. */
export const personVariable = 'DUELINE_PERSON';

export const isPerson = (env: Environment): boolean => !isOff(env[personVariable]);

/**
 * The agent that runs a command in `folder`; undefined for the user. Each command is a process of its own, so an agent is
 * known again by its name and its thread, or else its folder: two agents of one name work in two working trees.
 */
export function askingAgent(env: Environment, folder: string): EditClient | undefined {
  const found = variables.find(([variable]) => !isOff(env[variable]));
  if (!found) return undefined;
  const [variable, agent] = found;
  const value = env[variable]!;
  const name = clientName(agent ?? (isOn(value) ? '' : value));
  const thread = env.CODEX_THREAD_ID ?? folder;
  return { name, session: createHash('sha256').update(`${name}\n${thread}`).digest('hex').slice(0, 32) };
}

const maxNameLength = 60;

/** The name of another program, in its own words, as the history keeps it. */
export const clientName = (name: string): string => sanitize(name).trim().slice(0, maxNameLength) || 'agent';
