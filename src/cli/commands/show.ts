import type { DuelineEngine } from '../../api';
import { bucketOf } from '../../core/fields/priority';
import { detailNames, textFacts } from '../../core/fields/table';
import { textOf } from '../../core/fields/values';
import type { Occurrence } from '../../core/kernel/model';
import { cleanedLines, safeJson, sanitize } from '../../core/text/cleanText';
import { locationText } from '../../programs/codeAround';
import { lineOf, taskId, taskJson, tasksJson } from '../../programs/tasks';
import { DateWords } from '../rows';
import type { Command, Session } from '../session';

const instant = { isAllDay: false, timezone: 'UTC' } as const;
const statuses = ['', 'in progress', 'done', 'cancelled'] as const;

/** All values of a task, each with its label; empty for a value that it does not have. Dates are in the user's time zone. */
function factsOf(session: Session, engine: DuelineEngine, item: Occurrence): readonly (readonly [string, string])[] {
  const { task, due, dtstart } = item;
  const dates = new DateWords(engine);
  const { shortId, list, tags, repeat, progress, blockedBy, uid, ...json } = taskJson(engine, item);
  const parent = task.parentId === null ? undefined : engine.task(task.parentId);
  const locations = session.code.locationsOf(task).map(locationText);
  return [
    ['ID', shortId],
    ['Status', statuses[task.status]],
    ['Due', [dates.label(due, task), item.isOverdue && 'overdue'].filter(Boolean).join(', ')],
    ['Start', dates.label(dtstart, task)],
    ['Repeat', repeat ?? ''],
    ['Priority', task.priority === 0 ? '' : bucketOf(task.priority)],
    ['Estimate', textOf(task, 'estimate') ?? ''],
    ['Progress', progress === null ? '' : `${progress} %`],
    ['List', list],
    ['Parent', parent ? `${engine.shortIdOf(parent)} ${parent.title ?? ''}` : ''],
    ['Blocked by', blockedBy.join(', ')],
    ['Claimed by', session.holderOf(task) ?? ''],
    ['Tags', tags.map(tag => `#${tag}`).join(' ')],
    ['Code', locations.join(', ')],
    ...detailNames.map(name => [textFacts[name].label, json[name] ?? ''] as const),
    ['Completed', dates.label(task.completedAt, instant)],
    ['Created', dates.label(task.createdAt, instant)],
    ['Changed', dates.label(task.lastModified, instant)],
    ['UID', uid],
  ];
}

async function details(session: Session): Promise<void> {
  const words = session.needWords('The ID of a task');
  const engine = await session.open();
  await session.openHolders();
  const items = words.map(word => lineOf(engine, taskId(engine, word)));
  const { out } = session;
  if (session.is('json')) {
    out.print(safeJson(tasksJson(engine, items, session), 2));
    return;
  }
  const texts = items.map(item => {
    const { title, description } = item.task;
    const facts = factsOf(session, engine, item).filter(([, value]) => value !== '');
    const lines = facts.map(([name, value]) => `${out.styled(name.padEnd(10), 'dim')} ${sanitize(value)}`);
    const heading = out.styled(sanitize(title ?? ''), 'bold');
    return [heading, ...lines, ...(description ? ['', cleanedLines(description)] : [])].join('\n');
  });
  out.print(texts.join('\n\n'));
}

export const showCommand: Command = {
  usage: 'ID…',
  summary: 'Show all details of tasks',
  examples: ['dueline show dl-k3f9', 'dueline show dl-k3f9 --json'],
  run: details,
};
