import { uniqueTags } from '../fields/tags';
import type { Task } from '../kernel/model';
import { parseRepeat } from '../quickAdd/when';
import { checkRule } from '../recurrence/rrule';
import { fromWall, wallOf } from '../time/dates';
import { dateColumns, type IsoDate, isoOf, parseIsoDate } from './dateText';
import type { ExportContext, ImportContext, ImportedFields } from './types';

/** Signs of the Obsidian Tasks plug-in for priorities. */
const priorityOfSign: Readonly<Record<string, number>> = { '🔺': 1, '⏫': 2, '🔼': 5, '🔽': 7, '⏬': 9 };
/** A map, since an object would also have keys such as `constructor`. */
const priorityOfWord: ReadonlyMap<string, number> = new Map([
  ['highest', 1],
  ['high', 2],
  ['medium', 5],
  ['low', 7],
  ['lowest', 9],
]);
const signs = '🔺⏫🔼🔽⏬📅🛫⏳✅➕❌🔁🆔⛔';

const signOf = (priority: number) =>
  priority === 0
    ? ''
    : priority === 1
      ? '🔺'
      : priority <= 4
        ? '⏫'
        : priority === 5
          ? '🔼'
          : priority <= 7
            ? '🔽'
            : '⏬';

export function writeInline(task: Task, context: ExportContext): string {
  const zone = context.clock.timeZone;
  const parts = [escaped(task.title ?? '')];
  for (const tag of task.tags) {
    const word = escaped(tag);
    parts.push(isPlainTag.test(word.replace(/\\./gu, '')) ? `#${word}` : `#[${word}]`);
  }
  parts.push(signOf(task.priority));
  // The signs have three grades; the exact number of any other priority is written, too.
  if (task.priority !== 0 && priorityOfSign[signOf(task.priority)] !== task.priority)
    parts.push(`[priority:: ${task.priority}]`);
  const dated = (sign: string, value: number | null) => {
    if (value === null) return;
    const text = isoOf(task.timezone === null ? value : wallOf(value, zone));
    parts.push(`${sign} ${task.isAllDay ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')}`);
  };
  dated('🛫', task.dtstart);
  dated('📅', task.due);
  if (task.completedAt !== null) parts.push(`✅ ${isoOf(wallOf(task.completedAt, zone)).slice(0, 10)}`);
  if (task.rrule !== null) parts.push(`[rrule:: ${task.rrule.replace(/[\]\s]/g, '')}]`);
  if (/^[^\s<>]+$/.test(task.uid) && !task.uid.includes('--')) parts.push(`<!-- uid:${task.uid} -->`);
  return parts.filter(part => part !== '').join(' ');
}

/** The signs that would be read back as something else: `#`, `[` and `⏫` of a title such as "Fix #12 [urgent] ⏫". */
const special = new RegExp(`[\\\\#<[\\]]|[${signs}]`, 'gu');

const escaped = (title: string) => title.replace(/\s+/g, ' ').trim().replace(special, '\\$&');

const isPlainTag = /^[^\s#]*[\p{L}\p{Extended_Pictographic}][^\s#]*$/u;

interface Inline {
  readonly title: string;
  readonly uid?: string;
  readonly fromCompletion?: boolean;
  readonly fields: Omit<ImportedFields, 'uid'>;
}

const date = '(\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{1,2}:\\d{2})?)';

/** No real title is longer. Only this part is searched for signs; the rest is kept as it is. */
export function readInline(text: string, context: ImportContext): Inline {
  const zone = context.clock.timeZone;
  // Escaped signs leave the text while the others are searched.
  const kept: string[] = [];
  let rest = text.replace(/\\([!-/:-@[-`{-~]|\p{Extended_Pictographic})/gu, (_, char: string) => {
    kept.push(char);
    return `\u0001${kept.length - 1}\u0002`;
  });
  const take = (pattern: RegExp): string | undefined => {
    const match = pattern.exec(rest);
    if (!match) return undefined;
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    return (match[1] ?? match[0]).trim();
  };
  const field = (sign: string, key: string) =>
    take(new RegExp(`${sign}\\uFE0F? ?${date}`, 'u')) ?? take(new RegExp(`\\[${key}:: ?${date}\\]`, 'i'));

  const uid = take(/<!-- uid:([^\s<>]{1,500}) -->/) ?? take(/🆔\uFE0F? ?([\w-]+)/u);
  const due = field('(?:📅|📆|🗓)', 'due');
  const start = field('(?:🛫|⏳)', '(?:start|scheduled)');
  const completed = field('✅', 'completion');
  const created = field('➕', 'created');
  const rrule = take(/\[rrule:: ?([^\]]{1,500})\]/i);
  const repeat = take(/\[repeat:: ?([^\]]{1,500})\]/i) ?? take(new RegExp(`🔁\\uFE0F? ?([^${signs}#[<]{1,200})`, 'u'));
  const exact = take(/\[priority:: ?(\w+)\]/i);
  const sign = take(/[🔺⏫🔼🔽⏬]\uFE0F?/u)?.replace('\ufe0f', '');
  const tags: string[] = [];
  rest = rest.replace(
    /(^|\s)#(?:\[([^\]]{1,200})\]|([^\s#]*[\p{L}\p{Extended_Pictographic}][^\s#]*))/gu,
    (_, space, quoted, plain) => {
      tags.push((quoted ?? plain) as string);
      return space as string;
    },
  );

  const restore = (value: string) =>
    value.replace(/\u0001(\d+)\u0002/g, (_, index: string) => kept[Number(index)] ?? '');
  const title = restore(rest).replace(/\s+/g, ' ').trim();
  const fields: Omit<ImportedFields, 'uid'> = {
    tags: uniqueTags(tags.map(restore)),
    priority: priorityOf(exact, sign),
  };
  const read = (value: string | undefined): IsoDate | undefined => (value ? parseIsoDate(value) : undefined);
  Object.assign(fields, dateColumns(read(due), read(start), '', zone));
  const completedAt = instantOfDate(read(completed), zone);
  if (completedAt !== undefined) fields.completedAt = completedAt;
  const createdAt = instantOfDate(read(created), zone);
  if (createdAt !== undefined) fields.createdAt = createdAt;

  const words = repeat
    ? parseRepeat(repeat.replace(/ when done$/i, ' after completion'), { ...context, languages: ['en'] })
    : undefined;
  fields.rrule = rrule && checkRule(rrule) === undefined ? rrule : (words?.rrule ?? null);
  return {
    title,
    ...(uid ? { uid: restore(uid) } : {}),
    ...(words ? { fromCompletion: words.fromCompletion } : {}),
    fields,
  };
}

function priorityOf(exact: string | undefined, sign: string | undefined): number {
  if (exact && /^[0-9]$/.test(exact)) return Number(exact);
  return priorityOfWord.get(exact?.toLowerCase() ?? '') ?? priorityOfSign[sign ?? ''] ?? 0;
}

function instantOfDate(value: IsoDate | undefined, zone: string): number | undefined {
  if (!value) return undefined;
  return value.kind === 'instant' ? value.at : fromWall(value.civil, zone);
}
