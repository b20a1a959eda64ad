import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import {
  type DayRule,
  estimateOfWork,
  type Period,
  periods,
  sumBy,
  sumByDay,
  type TimeEntry,
  type TimeSum,
  tagErrors,
} from '../../core/code/timeReport';
import { hoursText } from '../../core/code/workTime';
import { formatCsv, guard } from '../../core/exchange/csvText';
import type { Id, Task } from '../../core/kernel/model';
import { literalMarkdown } from '../../core/text/literalMarkdown';
import { addDays, isoText, today } from '../../core/time/dates';
import { minuteMs } from '../../core/time/units';
import { tasksWithTime, trackedTime } from '../../query/agenda/trackedTime';
import { percent, plain, t, tn } from '../../shared/l10n';
import type { Announcement } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { inSeries } from '../../ui/occurrences';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { codeLinks } from '../../ui/text/codeLinks';
import { dayRange, mediumDay } from '../../ui/text/dateText';
import { lengthText } from '../../ui/text/lengthText';
import { fullTitleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';
import { debounceChanges } from '../../views/tree/debounceChanges';
import { applyPlan, type ChangePlan } from '../common/changePlan';
import { announceExport, exportUri, saveExport } from '../common/exportedFile';
import { showLiveReport } from '../common/reportDocument';
import type { TargetResolver } from '../common/targets';
import { editTime } from './editTime';

/** Names of repositories by their hashes, on this computer alone. */
const repositories = 'repositories';

/**
 * Starts a task, whose time runs from then on. The time of another task ends before, so that undo begins with the start; it
 * goes on if the start would be refused.
 */
export async function startWork(
  engine: DuelineEngine,
  task: Task,
  start: ChangePlan,
): Promise<Announcement | undefined> {
  const active = engine.working.active();
  if (active && active.task.uid !== task.uid) {
    await engine.plan(start.changes(), []);
    await engine.working.stop();
  }
  const started = await applyPlan(engine, start);
  await startTime(engine, task).catch(showError);
  return started;
}

async function startTime(engine: DuelineEngine, task: Task): Promise<void> {
  const repository = await codeLinks()?.repository();
  await engine.working.start(inSeries(engine, task).task.id, repository?.id);
  if (!repository) return;
  const sidecar = await engine.sidecar();
  if (sidecar.get(repositories, repository.id) !== repository.name)
    await sidecar.put(repositories, [[repository.id, repository.name]]);
}

/** Reports the tracked times of tasks, and exports them for other programs. */
export const timeCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.timeReport', async () => {
      const picked = await askPeriod(t('Time Report'), [
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        withIcon('export', t('Export Time as CSV…')),
      ]);
      const period = picked?.period;
      if (period)
        await showLiveReport(
          t('Time: {0}', picked.label),
          () => reportLines(engine, period),
          then => debounceChanges(engine.onDidChange, then),
        );
      else if (picked) await exportTime(engine);
    }),
    commands.on('dueline.editTime', async target => {
      const task = await targets.task(target, t('Select a task to correct its time'));
      return task && editTime(engine, inSeries(engine, task).task);
    }),
  );

async function exportTime(engine: DuelineEngine): Promise<void> {
  const { period } = (await askPeriod(t('Export Time as CSV'))) ?? {};
  if (!period) return;
  const file = await vscode.window.showSaveDialog({
    title: t('Export Time as CSV'),
    saveLabel: t('Export'),
    filters: { CSV: ['csv'] },
    defaultUri: exportUri(`dueline-time-${today(engine.clock)}.csv`),
  });
  if (!file) return;
  await saveExport(engine, file, await timeCsv(engine, period));
  void announceExport(file);
}

interface PeriodLine extends vscode.QuickPickItem {
  readonly period?: Period;
}

async function askPeriod(title: string, others: readonly PeriodLine[] = []): Promise<PeriodLine | undefined> {
  const words: Readonly<Record<Period, string>> = {
    thisWeek: t('This Week'),
    lastWeek: t('Last Week'),
    thisMonth: t('This Month'),
    lastMonth: t('Last Month'),
    all: t('All Time'),
  };
  return showQuickPick([...periods.map(period => ({ label: words[period], period })), ...others], { title });
}

const ruleOf = (engine: DuelineEngine): DayRule => {
  const { startHour, firstDay } = dateStyle(engine);
  return { zone: engine.clock.timeZone, startHour, firstDay };
};

const entriesOf = (engine: DuelineEngine, period: Period): TimeEntry[] => trackedTime(engine, period, ruleOf(engine));

async function repositoryNames(engine: DuelineEngine): Promise<(entry: TimeEntry) => string> {
  const sidecar = await engine.sidecar();
  return ({ repo }) =>
    repo === undefined ? '' : (sidecar.get<string>(repositories, repo) ?? repo).replace(/^folder:/, '');
}

async function reportLines(engine: DuelineEngine, period: Period): Promise<string[]> {
  // Nothing changes after this wait, so that of two reports the later one has the newer tasks.
  const repositoryOf = await repositoryNames(engine);
  const rule = ruleOf(engine);
  const entries = entriesOf(engine, period);
  const total = entries.reduce((sum, { ms }) => sum + ms, 0);
  const lists = new Map<Id, string>(engine.lists().map(({ id, name }) => [id, name]));
  const part = <Key>(
    heading: string,
    sums: readonly TimeSum<Key>[],
    nameOf: (key: Key) => string,
    besides: (key: Key) => string = () => '',
  ) =>
    sums.length === 0
      ? []
      : [
          '',
          `## ${heading}`,
          '',
          ...sums.map(({ key, ms }) => `- ${hoursText(ms)} ${literalMarkdown(plain(nameOf(key)))}${besides(key)}`),
        ];
  return [
    t('Total: {0}', lengthText(Math.floor(total / minuteMs))),
    ...part(t('Days'), period === 'all' ? [] : sumByDay(entries, rule), day => (day ? mediumDay(day) : t('Earlier'))),
    ...part(
      t('Tasks'),
      sumBy(entries, entry => entry.task),
      task => `${fullTitleOf(task)} (${engine.shortIdOf(task)})`,
      estimateWords,
    ),
    ...part(
      t('Lists'),
      sumBy(entries, entry => entry.task.listId),
      id => lists.get(id) ?? '',
    ),
    ...part(t('Repositories'), sumBy(entries, repositoryOf), name => name || t('None')),
    ...tagLines(tasksWithTime(engine)),
    ...part(t('Weeks'), sumByDay(entries, rule, 'week'), day => (day ? dayRange(day, addDays(day, 6)) : t('Earlier'))),
  ];
}

/** The estimate next to the tracked time of a task. */
function estimateWords(task: Task): string {
  const minutes = estimateOfWork(task);
  return minutes === undefined ? '' : ` (${t('estimate {0}', lengthText(minutes))})`;
}

function tagLines(tasks: readonly Task[]): string[] {
  const lines = tagErrors(tasks).map(({ tag, factor, count }) => {
    const off = Math.round((factor - 1) * 100);
    const name = literalMarkdown(plain(`#${tag}`));
    const from = tn(count, '{0} task', '{0} tasks');
    if (off === 0) return `- ${t('{0}: as estimated ({1})', name, from)}`;
    const words =
      off > 0
        ? t('{0}: {1} longer ({2})', name, percent(off), from)
        : t('{0}: {1} shorter ({2})', name, percent(-off), from);
    return `- ${words}`;
  });
  return lines.length === 0 ? [] : ['', `## ${t('Tags: usual time compared with the estimate')}`, '', ...lines];
}

async function timeCsv(engine: DuelineEngine, period: Period): Promise<string> {
  const lists = new Map<Id, string>(engine.lists().map(({ id, name }) => [id, name]));
  const repositoryOf = await repositoryNames(engine);
  const moment = (at: number | undefined) => (at === undefined ? '' : isoText(at).replace('.000', ''));
  const rows = entriesOf(engine, period).map(entry => {
    const { task, start, ms } = entry;
    return [
      moment(start),
      moment(start === undefined ? undefined : start + ms),
      (ms / minuteMs).toFixed(2),
      task.title ?? '',
      engine.shortIdOf(task),
      lists.get(task.listId) ?? '',
      repositoryOf(entry),
    ].map(guard);
  });
  return formatCsv([['start', 'end', 'minutes', 'title', 'id', 'list', 'repository'], ...rows]);
}
