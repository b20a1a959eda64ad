import type { Task } from '../../core/kernel/model';

/** A short and stable hash that distinguishes texts but protects nothing. */
export function hashText(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}

/** The content of a row: everything but its address and what waits to be sent. */
export function contentOf(task: Task): string {
  const { id, listId, href, etag, isDirty, alarms, ...content } = task;
  return JSON.stringify([
    content,
    alarms.map(({ minutesBefore, reference, message }) => [minutesBefore, reference, message]),
  ]);
}
