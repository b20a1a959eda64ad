import { type Component, componentsNamed, frameOf } from '../ical/components';
import { readResource } from '../ical/readResource';
import type { ResourceRow, TaskFields } from '../ical/row';
import { defaultProdid, writeResource } from '../ical/writeResource';
import type { Task } from '../kernel/model';
import { type ContentLine, escapeText, foldLine, readLines, unescapeText } from '../lines/contentLines';
import { fieldsOf, parentUidOf } from './fields';
import { ImportCollector } from './importCollector';
import { checkTaskCount } from './importSize';
import { importMessage } from './messages';
import { uuidOf } from './stableUid';
import type { ExportContext, ImportContext, ImportResult } from './types';

/** One VCALENDAR with every task as it would be on a server, each zone described once. */
export function writeIcs(tasks: readonly Task[], context: ExportContext): string {
  const zones = new Map<string, string>();
  const todos: string[] = [];
  for (const { master, overrides } of resourcesOf(tasks, context)) {
    // LAST-MODIFIED is written as the moment of writing; the task's own keeps an export from aging it.
    const now = (master ?? overrides[0])!.fields.lastModified ?? context.clock.now();
    for (const block of blocksOf(writeResource({ master, overrides }, undefined, now))) {
      if (block.startsWith('BEGIN:VTIMEZONE')) zones.set(/^TZID[^:]*:(.*)$/m.exec(block)?.[1] ?? block, block);
      else todos.push(block);
    }
  }
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:${escapeText(defaultProdid)}`];
  return [...head.map(line => foldLine(line, '\r\n')), ...zones.values(), ...todos, 'END:VCALENDAR\r\n'].join('');
}

/** Masters with their overrides, in the order of the tasks. */
function resourcesOf(
  tasks: readonly Task[],
  context: ExportContext,
): { master?: ResourceRow; overrides: ResourceRow[] }[] {
  const byKey = new Map<string, { master?: ResourceRow; overrides: ResourceRow[] }>();
  const known = new Map(tasks.map(task => [task.id, task]));
  for (const task of tasks) {
    const key = `${task.listId} ${task.uid}`;
    const resource = byKey.get(key) ?? { overrides: [] };
    byKey.set(key, resource);
    const row: ResourceRow = { fields: fieldsOf(task), parentUid: parentUidOf(task, known, context) };
    if (task.recurrenceId === null) resource.master = row;
    else resource.overrides.push(row);
  }
  return [...byKey.values()];
}

/** The components that are directly in a VCALENDAR. */
function blocksOf(text: string): string[] {
  const lines = readLines(text);
  const { roots } = frameOf(lines);
  return roots.flatMap(root => root.children).map(child => sourceOf(text, lines, child));
}

const sourceOf = (text: string, lines: readonly ContentLine[], { first, last }: Component) =>
  text.slice(lines[first]!.from, lines[last]!.to);

/** No task has as many, and each is kept. */
const maxTaskLines = 100_000;
const isOfTaskSize = ({ first, last }: Component) => last - first < maxTaskLines;

/** A calendar, its tasks and their reminders are three. */
const maxDepth = 100;

/** The number, from 1, of the first line that is too deep: more components begin inside one another than in any real file. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (const { 1: sign, index } of text.matchAll(/^(BEGIN|END)[:;]/gim)) {
    depth = sign!.toUpperCase() === 'BEGIN' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > maxDepth) return text.slice(0, index).split(/\r\n|\n|\r/).length;
  }
  return undefined;
}

export function readIcs(text: string, context: ImportContext): ImportResult {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined)
    return { tasks: [], skipped: [importMessage('nestedTooDeep', tooDeep, maxDepth)], left: 1, partly: 0 };
  const lines = readLines(text);
  const { roots } = frameOf(lines);
  const collector = new ImportCollector();
  const all = componentsNamed(roots, 'VTODO');
  checkTaskCount(all.length);
  const todos = all.filter(isOfTaskSize);
  for (const component of roots.flatMap(root => (root.name === 'VCALENDAR' ? root.children : [root]))) {
    if (
      component.name !== 'VTODO' &&
      component.name !== 'VTIMEZONE' &&
      componentsNamed([component], 'VTODO').length === 0
    ) {
      collector.skip(importMessage('notATask', lines[component.first]!.number, component.name));
    }
  }
  for (const todo of all)
    if (!isOfTaskSize(todo)) collector.skip(importMessage('unreadableTask', lines[todo.first]!.number));
  if (todos.length === 0 && collector.skipped === 0) collector.skip(importMessage('notICalendar'));
  let [left, partly] = [collector.skipped, 0];
  const zones = new Map(
    componentsNamed(roots, 'VTIMEZONE').map(zone => {
      const tzid = zone.own.map(index => lines[index]!).find(line => line.name === 'TZID')?.value ?? '';
      return [tzid, sourceOf(text, lines, zone)] as const;
    }),
  );
  for (const [uid, group] of byUid(text, lines, todos, context)) {
    const lost = readGroup(text, lines, uid, group, zones, collector);
    left += lost.left;
    partly += lost.partly;
  }
  const isTorn = roots.some(root => root.name === 'VCALENDAR' && !root.closed);
  if (isTorn && todos.every(({ closed }) => closed)) collector.skip(importMessage('tornFile', lines.at(-1)!.number));
  return collector.result(left, partly);
}

function byUid(
  text: string,
  lines: readonly ContentLine[],
  todos: readonly Component[],
  context: ImportContext,
): Map<string, Component[]> {
  const groups = new Map<string, Component[]>();
  for (const todo of todos) {
    const stated = todo.own
      .map(index => lines[index]!)
      .find(line => line.name === 'UID')
      ?.value.trim();
    const uid = stated || uuidOf(`${context.listKey}\n${sourceOf(text, lines, todo)}`);
    const group = groups.get(uid);
    if (group) group.push(todo);
    else groups.set(uid, [todo]);
  }
  return groups;
}

/** Reads one task as the resource that it would be on a server. */
function readGroup(
  text: string,
  lines: readonly ContentLine[],
  uid: string,
  group: readonly Component[],
  zones: ReadonlyMap<string, string>,
  collector: ImportCollector,
): Pick<ImportResult, 'left' | 'partly'> {
  const sources = group.map(todo => closed(sourceOf(text, lines, todo), todo));
  const used = [...zones].filter(([tzid]) => tzid !== '' && sources.some(source => source.includes(tzid)));
  const head = `BEGIN:VCALENDAR\r\n${used.map(([, zone]) => ended(zone)).join('')}`;
  const resource = readResource(`${head}${sources.join('')}END:VCALENDAR\r\n`, { uid });

  const offsets = offsetsOf(head, sources);
  const first = lines[group[0]!.first]!.number;
  const faulty = new Set<number>();
  for (const { line = offsets[0]! + 1, message } of resource.faults) {
    const index = offsets.findLastIndex(offset => offset < line);
    if (index < 0) continue;
    faulty.add(index);
    collector.skip(importMessage('lineNote', lines[group[index]!.first]!.number + line - offsets[index]! - 1, message));
  }
  for (const [index, todo] of group.entries()) {
    if (todo.closed) continue;
    faulty.add(index);
    collector.skip(importMessage('tornTask', lines[todo.first]!.number, titleOf(lines, todo)));
  }
  const rows = [...(resource.master ? [resource.master] : []), ...resource.overrides];
  if (rows.length === 0) collector.skip(importMessage('unreadableTask', first));
  for (const { fields, parentUid } of rows)
    collector.add({ fields: fields as TaskFields, parentUid: parentUid ?? null, line: first });
  const left = group.length - rows.length;
  return { left, partly: Math.max(0, faulty.size - left) };
}

function titleOf(lines: readonly ContentLine[], { own }: Component): string {
  const named = own.map(index => lines[index]!).find(({ name }) => name === 'SUMMARY');
  return unescapeText(named?.value ?? '');
}

const ended = (source: string) => (/[\r\n]$/.test(source) ? source : `${source}\r\n`);
const closed = (source: string, todo: Component) => ended(source) + (todo.closed ? '' : 'END:VTODO\r\n');

/** How many physical lines are before each source. */
function offsetsOf(head: string, sources: readonly string[]): number[] {
  const count = (text: string) => text.match(/\r\n|\n|\r/g)?.length ?? 0;
  let before = count(head);
  return sources.map(source => {
    const offset = before;
    before += count(source);
    return offset;
  });
}
