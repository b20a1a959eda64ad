import { isTooLarge, readResource } from '../../core/ical/readResource';
import type { ReadContext, Resource } from '../../core/ical/row';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';

/**
 * Refuses a removal that would delete more than one task: a text that is not wholly understood is never removed. Each
 * run tries again, since someone may take the rest out of the file.
 */
export function checkRemovable(text: string, context: ReadContext): void {
  if (isTooLarge(text) || readResource(text, context).hasOthers)
    throw new RemoteError('protocol', syncMessage('fileHasOthers'));
}

/**
 * Refuses a write into a resource of several tasks: no server has to take those (RFC 4791 4.1). An event in it stays as it is,
 * since a write patches the text.
 */
export function checkWritable({ otherUids }: Resource): void {
  if (otherUids.length > 0) throw new RemoteError('protocol', syncMessage('severalTasksInFile'));
}

/** True if a text is sound and has nothing of the task: it is another one, or an event. */
export function hasNoneOf(text: string, context: ReadContext): boolean {
  if (isTooLarge(text)) return false;
  const { uid, faults } = readResource(text, context);
  return uid !== context.uid && faults.every(({ kind }) => kind !== 'frame' && kind !== 'component');
}
