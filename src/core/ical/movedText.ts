import { type ContentLine, foldLine, newlineOf } from '../lines/contentLines';
import type { Component } from './components';
import { applySplices } from './patch';
import { type OpenedResource, openResource } from './readResource';

/**
 * A resource's text as the base of a new resource elsewhere, so that what no column holds moves along: a reminder's sound,
 * parameters, private time zones. Lines of other programs that servers refuse or drop are corrected or left out.
 * Undefined if it does not contain exactly this one task: then only its rows can move.
 */
export function textElsewhere(text: string, uid: string): string | undefined {
  const opened = openResource(text, { uid });
  if (!isWhole(opened, uid)) return undefined;
  const newline = newlineOf(text);
  const splices = opened.lines.flatMap(line => {
    const { from, to } = line;
    if (isRefused(line)) return { from, to, text: '' };
    const isInCapitals = line.text.startsWith(line.name);
    if (isInCapitals || !line.name.startsWith('X-')) return [];
    return { from, to, text: foldLine(line.name + line.text.slice(line.name.length), newline) };
  });
  return applySplices(text, splices);
}

/** No property, what a stored text must not have (RFC 4791 4.1), and an X- property without a value, for which Cyrus refuses the whole. */
const isRefused = ({ name, value, text }: ContentLine): boolean =>
  (name === '' && text !== '') || name === 'METHOD' || (name.startsWith('X-') && value === '');

/** True if the text is one valid calendar with only this task, its exceptions and its time zones. */
function isWhole({ lines, roots, calendar, uid, master, overrides }: OpenedResource, expected: string): boolean {
  if (uid !== expected || roots.length !== 1 || !calendar || calendar !== roots[0]) return false;
  const todos = calendar.children.filter(({ name }) => name === 'VTODO');
  const isKnown = ({ name }: Component) => name === 'VTODO' || name === 'VTIMEZONE';
  const hasUid = ({ own }: Component) => own.some(index => lines[index]!.name === 'UID');
  return (
    isClosed(calendar) &&
    calendar.children.every(isKnown) &&
    todos.every(hasUid) &&
    todos.length === overrides.length + (master ? 1 : 0)
  );
}

const isClosed = ({ closed, children }: Component): boolean => closed && children.every(isClosed);
