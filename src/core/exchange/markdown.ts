import type { Message } from '../kernel/message';
import type { StatusCode, Task } from '../kernel/model';
import { treeOf } from './fields';
import { ImportCollector } from './importCollector';
import { readInline, writeInline } from './markdownInline';
import { importMessage } from './messages';
import { StableUids } from './stableUid';
import type { ExportContext, ImportContext, ImportedFields, ImportedTask, ImportResult } from './types';

const boxes: Readonly<Record<StatusCode, string>> = { 0: ' ', 1: '/', 2: 'x', 3: '-' };
const statuses: Readonly<Record<string, StatusCode>> = { ' ': 0, '': 0, '/': 1, x: 2, X: 2, '-': 3 };

/** Nested checklists, notes indented below their task; dates and the like in the signs of Obsidian Tasks. */
export function writeMarkdown(tasks: readonly Task[], context: ExportContext): string {
  const lines: string[] = [];
  for (const { task, depth } of treeOf(tasks)) {
    const indent = '  '.repeat(Math.min(depth, deepest));
    lines.push(`${indent}- [${boxes[task.status]}] ${writeInline(task, context)}`);
    // A line that would itself be read as an item is kept from being one.
    for (const note of (task.description ?? '').split('\n').filter(text => text.trim() !== '')) {
      lines.push(`${indent}    ${note.trim().replace(/^([-*+]|\d+[.)])(?=\s)|^(```|~~~)/, '\\$&')}`);
    }
  }
  return lines.map(line => `${line}\n`).join('');
}

/** Nobody nests deeper by hand; a program may, and indentation must stay finite. */
const deepest = 50;

/** `- [ ] Call Bob`, `> 1. [x] Done`. */
const item = /^(\s*)(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[(.?)\](?:\s+(.*))?$/;

export function readMarkdown(text: string, context: ImportContext): ImportResult {
  const uids = new StableUids(context.listKey);
  const collector = new ImportCollector();
  const path: { indent: number; uid: string }[] = [];
  let fence: string | undefined;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const skip = (reason: Message) => collector.skip(importMessage('lineNote', index + 1, reason));
    const marker = /^\s*(```|~~~)/.exec(raw)?.[1];
    if (marker && (fence === undefined || fence === marker)) {
      fence = fence === undefined ? marker : undefined;
      continue;
    }
    if (raw.trim() === '') continue;
    if (fence !== undefined) {
      skip(importMessage('insideCodeBlock'));
      continue;
    }
    const match = item.exec(raw);
    const indent = widthOf(/^\s*/.exec(raw)![0]);
    if (!match) {
      const owner = collector.tasks.at(-1);
      if (owner && path.length > 0 && indent > path.at(-1)!.indent && !/^\s*([-*+]|\d+[.)])\s/.test(raw)) {
        const note = raw.trim().replace(/^\\(?=[-*+`~]|\d)/, '');
        owner.fields.description = owner.fields.description ? `${owner.fields.description}\n${note}` : note;
      } else {
        skip(/^\s*#{1,6}\s/.test(raw) ? importMessage('headingNotATask') : importMessage('notAChecklistItem'));
        path.length = 0;
      }
      continue;
    }
    while (path.length > 0 && path.at(-1)!.indent >= indent) path.pop();
    const read = readItem(match[3] ?? '', match[2]!, path.at(-1)?.uid ?? null, context, uids);
    if (!read) {
      skip(importMessage('noTitle'));
      continue;
    }
    path.push({ indent, uid: read.fields.uid });
    collector.add({ ...read, line: index + 1 });
  }
  return collector.result();
}

/** A tab counts as four, as CommonMark has it. */
const widthOf = (indent: string) =>
  [...indent].reduce((width, char) => (char === '\t' ? width + 4 - (width % 4) : width + 1), 0);

function readItem(
  text: string,
  box: string,
  parentUid: string | null,
  context: ImportContext,
  uids: StableUids,
): Omit<ImportedTask, 'line'> | undefined {
  const { title, uid, fromCompletion, fields } = readInline(text, context);
  if (title === '') return undefined;
  const status = statuses[box] ?? 0;
  const all: ImportedFields = {
    ...fields,
    uid: uid ?? uids.next(title, parentUid),
    title,
    status,
    ...(status === 2 ? { percentComplete: 100 } : { completedAt: null }),
  };
  return { fields: all, parentUid, ...(fromCompletion === undefined ? {} : { fromCompletion }) };
}
