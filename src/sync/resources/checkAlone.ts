import type { Resource } from '../../core/ical/row';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';

/**
 * Refuses what would harm the rest of a resource that has more in it than one task. A removal takes everything along, and
 * what is not wholly understood is never removed. A write patches the text, so an event in it stays as it is; but no server
 * has to take several tasks in one resource (RFC 4791 4.1).
 */
export function checkAlone({ otherUids, hasOthers }: Resource, act: 'write' | 'remove'): void {
  // It is tried again in each run, since someone may take the rest out of the file: it is no refusal for good.
  if (act === 'remove' && hasOthers) throw new RemoteError('protocol', syncMessage('fileHasOthers'));
  if (otherUids.length > 0) throw new RemoteError('protocol', syncMessage('severalTasksInFile'));
}
