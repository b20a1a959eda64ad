// The decision tables of sync, as its page in docs/design shows them.
import { baseList, listActions, listRules, localList, remoteList } from '../../src/sync/decide/decideList';
import { orphanRules, orphanStates } from '../../src/sync/decide/decideOrphan';
import { baseTask, localTask, remoteTask, taskActions, taskRules } from '../../src/sync/decide/decideTask';
import { code, row, table } from './markdown';

type Words = Readonly<Record<string, string>>;

interface DecisionRule {
  readonly when: Readonly<Partial<Record<'local' | 'base' | 'remote', string | readonly string[]>>>;
  readonly action: string;
  readonly log?: string;
}

export function decisions(): string {
  return [
    '### A task',
    section(taskRules, { Here: localTask, 'Last agreed on': baseTask, There: remoteTask }, taskActions),
    '### A task that was edited here and is gone there',
    orphans(),
    '### A list',
    section(listRules, { Here: localList, Noted: baseList, There: remoteList }, listActions),
  ].join('\n\n');
}

/** The states of each fact with their meanings, and the rows of the table. */
function section(rules: readonly DecisionRule[], facts: Readonly<Record<string, Words>>, actions: Words): string {
  const meanings = Object.entries(facts).map(([head, states]) => {
    const words = Object.entries(states).map(([state, meaning]) => `${code(state)}: ${meaning}`);
    return `- *${head}*: ${words.join('; ')}.`;
  });
  const rows = rules.map(({ when: { local, base, remote }, action, log = '' }) =>
    row(named(local), named(base), named(remote), actions[action]!, log),
  );
  return `${meanings.join('\n')}\n\n${table([...Object.keys(facts), 'What to do', 'In the log'], rows)}`;
}

const named = (states: string | readonly string[] = []) => [states].flat().map(code).join(' ');

function orphans(): string {
  const words: Words = { ...orphanStates, ask: 'ask the other lists' };
  const rows = orphanRules.map(({ when, action, log = '' }) => {
    const facts = Object.entries(when).map(([fact, value]) => code(`${fact}: ${[value].flat().join(' / ')}`));
    return row(facts.join(' '), words[action]!, log);
  });
  return table(['Facts', 'What becomes of it', 'In the log'], rows);
}
