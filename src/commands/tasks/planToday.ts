import * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import { isClosed } from '../../core/fields/status';
import { estimateOf } from '../../core/fields/values';
import type { Occurrence } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import { today } from '../../core/time/dates';
import { byParent, minutesOf } from '../../query/agenda/dayLoad';
import { t, tn } from '../../shared/l10n';
import { ask } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { instanceNamed } from '../../ui/occurrences';
import { dateChange, daysLater, dueOn, rescheduledText } from '../../ui/reschedule';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { lengthText } from '../../ui/text/lengthText';
import { loadOfDay } from '../../ui/text/loadText';
import { withIcon } from '../../ui/withIcon';
import { applyPlan } from '../common/changePlan';
import { withoutReadOnly } from '../common/targets';
import { listsById, taskChoice } from '../common/taskChoice';

/** The lines of each kind; more are only counted. */
const maxLines = 200;

/** The chosen day of a task: today, tomorrow, or (absent) the day that it has. */
type Choice = 'today' | 'tomorrow';

interface PlanLine extends vscode.QuickPickItem {
  /** Absent on the line that applies the plan. */
  readonly row?: Occurrence;
}

export const planCommands = ({ commands, engine }: CommandServices): vscode.Disposable =>
  commands.on('dueline.planToday', async () => {
    const writable = (query: string) => withoutReadOnly(engine, engine.query(query));
    // A task that was due this morning is overdue, and for today already.
    const overdue = writable('is:overdue due:<today sort:priority,due');
    const undated = writable('no:due no:start -is:subtask sort:priority,est');
    if (overdue.length + undated.length === 0) {
      void showInformation(t('No tasks are overdue or without a date.'));
      return undefined;
    }
    const choices = await new Planning(engine, overdue, undated).ask();
    if (!choices || choices.size === 0) return undefined;
    return applyPlan(engine, {
      label: t('Plan Today'),
      changes: () => changesOf(engine, choices),
      message: changes => rescheduledText(engine, changes),
    });
  });

function changesOf(engine: DuelineEngine, choices: ReadonlyMap<Occurrence, Choice>): TaskChange[] {
  const { timeZone } = engine.clock;
  const now = today(engine.clock, dateStyle(engine).startHour);
  return [...choices].flatMap(([{ task, due, dtstart }, choice]) => {
    const current = engine.task(task.id);
    if (!current || current.isDeleted || isClosed(current)) return [];
    // The occurrence that was listed, and no later one if that is done by now.
    const occurrence = isRecurring(current) && current.masterId === null ? (due ?? dtstart) : null;
    if (occurrence !== null && !instanceNamed(engine, current, occurrence)) return [];
    const day = choice === 'today' ? now : daysLater(now, 1);
    return dateChange(engine, current, occurrence, dated => dueOn(dated, day, timeZone)) ?? [];
  });
}

/** Plans overdue tasks and tasks without a date: the user plans some for today and postpones others. */
class Planning {
  readonly #choices = new Map<Occurrence, Choice>();
  readonly #listed: readonly Occurrence[];
  #lines: readonly PlanLine[] = [];

  constructor(
    private readonly engine: DuelineEngine,
    private readonly overdue: readonly Occurrence[],
    private readonly undated: readonly Occurrence[],
  ) {
    // A task that is already for today counts from the start; an overdue task counts once it is planned for today.
    this.#listed = engine.query('is:open (due:today or start:today)');
  }

  ask(): Promise<ReadonlyMap<Occurrence, Choice> | undefined> {
    return ask<PlanLine, ReadonlyMap<Occurrence, Choice>>(
      { placeholder: hint(), matchOnDescription: true },
      (pick, question) => {
        const show = (active?: Occurrence) => {
          this.#lines = this.#draw();
          Object.assign(pick, { title: this.#title(), items: this.#lines, keepScrollPosition: true });
          const line = this.#lines.find(({ row }) => row !== undefined && row === active);
          if (line) pick.activeItems = [line];
        };
        const choose = (row: Occurrence | undefined, choice: Choice) => {
          if (!row) return;
          if (this.#choices.get(row) === choice) this.#choices.delete(row);
          else this.#choices.set(row, choice);
          show(row);
        };
        show((this.overdue[0] ?? this.undated[0])!);
        question.setOffered(true);
        return {
          onAccept: line => {
            if (line && !line.row) return this.#choices;
            choose(line?.row, 'today');
            return undefined;
          },
          onTab: () => choose(pick.activeItems[0]?.row, 'tomorrow'),
          onItemButton: (line, button) => {
            choose(line.row, button.iconPath === takeIcon ? 'today' : 'tomorrow');
            return undefined;
          },
        };
      },
    );
  }

  #title(): string {
    const { engine } = this;
    const taken = [...this.#choices].flatMap(([row, choice]) => (choice === 'today' ? [row] : []));
    const undated = byParent(engine.query('is:open is:subtask no:due no:start').map(({ task }) => task));
    const minutes = minutesOf([...this.#listed, ...taken], { task: id => engine.task(id), undated });
    const now = today(engine.clock, dateStyle(engine).startHour);
    return t('{0}: {1}', t('Plan Today'), loadOfDay(engine, minutes, now).label);
  }

  #draw(): PlanLine[] {
    const count = (kind: Choice) => [...this.#choices.values()].filter(choice => choice === kind).length;
    const counts = t('{0} for today, {1} for tomorrow', count('today'), count('tomorrow'));
    const [lists, style] = [listsById(this.engine), dateStyle(this.engine)];
    const part = (label: string, rows: readonly Occurrence[]): PlanLine[] => {
      const left = rows.length - maxLines;
      return rows.length === 0
        ? []
        : [
            { label, kind: vscode.QuickPickItemKind.Separator },
            ...rows.slice(0, maxLines).map((row): PlanLine => {
              const choice = this.#choices.get(row);
              const line = taskChoice(row, style, lists);
              const choiceLabel = choice && (choice === 'today' ? t('Today') : t('Tomorrow'));
              const minutes = estimateOf(row.task);
              const takes = minutes === undefined ? '' : lengthText(minutes);
              return {
                ...line,
                description: [choiceLabel, takes, line.description].filter(Boolean).join(' · '),
                buttons: [
                  { iconPath: takeIcon, tooltip: t('Today') },
                  { iconPath: laterIcon, tooltip: t('Tomorrow') },
                ],
                row,
              };
            }),
            ...(left > 0
              ? [{ label: tn(left, '{0} more', '{0} more'), kind: vscode.QuickPickItemKind.Separator }]
              : []),
          ];
    };
    return [
      { ...withIcon('check', t('Apply the plan')), description: counts, alwaysShow: true },
      ...part(t('Overdue'), this.overdue),
      ...part(t('No Date'), this.undated),
    ];
  }
}

const takeIcon = new vscode.ThemeIcon('pass');
const laterIcon = new vscode.ThemeIcon('arrow-circle-right');

const hint = () => t('Enter plans a task for today, Tab postpones it to tomorrow');
