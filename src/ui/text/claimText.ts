import type { DuelineEngine } from '../../api';
import { isClosed } from '../../core/fields/status';
import type { Task } from '../../core/kernel/model';
import { hourMs, minuteMs } from '../../core/time/units';
import { briefName, currentLanguage, t } from '../../shared/l10n';

/** `Claude Code · 12 min`: the agent that has claimed an open task, and for how long; undefined if none has. */
export function claimWords({ claims, clock }: Pick<DuelineEngine, 'claims' | 'clock'>, task: Task): string | undefined {
  const claim = isClosed(task) ? undefined : claims?.of(task.uid);
  if (!claim) return undefined;
  const ms = Math.max(clock.now() - claim.at, 0);
  const name = briefName(claim.name);
  if (ms < minuteMs) return name;
  const [count, unit] = ms < hourMs ? [ms / minuteMs, 'minute'] : [ms / hourMs, 'hour'];
  const format = new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'short' });
  return `${name} · ${format.format(Math.floor(count))}`;
}

/** The claim as a phrase, for screen readers and tooltips. */
export const claimedBy = (words: string): string => t('claimed by {0}', words);
