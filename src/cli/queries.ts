import type { DuelineEngine } from '../api';
import { isDuelineError } from '../core/kernel/errors';
import { sanitize } from '../core/text/cleanText';
import { CliError } from '../programs/cliError';
import { asksForSidecar, asksWhenDone } from '../query/eval/dependence';
import { parseQuery } from '../query/parse/parser';
import type { Session } from './session';

/** An error of the query, with the words that are wrong marked below it. */
export function withQueryErrors<T>(query: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isDuelineError(error, 'query') || !error.range) throw error;
    const [from, to] = error.range;
    const marks = `${' '.repeat(from)}${'^'.repeat(Math.max(to - from, 1))}`;
    throw new CliError('refused', `${error.message}\n  ${sanitize(query)}\n  ${marks}`);
  }
}

/**
 * Opens the store, with the done log and the sidecar if the query asks for them: each takes as long as the store itself.
 * Tasks that are printed as JSON name who has claimed them, so they have the sidecar opened too.
 */
export async function openForQuery(session: Session, query: string): Promise<DuelineEngine> {
  const engine = await session.open({ printsTasks: !session.is('explain') });
  const filter = withQueryErrors(query, () => parseQuery(query));
  if (asksWhenDone(filter)) await engine.openDoneLog();
  if (asksForSidecar(filter)) {
    const { working, reminders } = await session.openStore();
    await Promise.all([working.open(), reminders.open(), session.openClaims()]);
  }
  return engine;
}
