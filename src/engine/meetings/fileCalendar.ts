import { readFile, stat } from 'node:fs/promises';
import { decodeText } from '../../core/exchange/encoding';
import { DuelineError } from '../../core/kernel/errors';
import { coreMessage } from '../../core/kernel/messages';
import { type CalendarReader, isWhole } from '../../core/meetings/calendars';
import { engineMessage } from '../messages';

/** In bytes; a calendar of ten years is a tenth of it. */
const largestFile = 64 * 2 ** 20;

/** A calendar in a file of this computer. It is read, and nothing else. */
export const fileReader: CalendarReader = {
  async read({ address }, _window, mark) {
    const file = await statOf(address);
    // A pipe may never end.
    if (!file.isFile()) throw new DuelineError('invalid', engineMessage('noCalendarFile', address));
    const { mtimeMs, size } = file;
    const now = `${mtimeMs} ${size}`;
    if (now === mark) return undefined;
    if (size > largestFile) throw new DuelineError('invalid', engineMessage('calendarTooLarge', address));
    const { text } = decodeText(new Uint8Array(await readFile(address)));
    if (!/^\ufeff?\s*BEGIN:VCALENDAR/i.test(text))
      throw new DuelineError('invalid', engineMessage('noCalendarFile', address));
    if (!isWhole(text)) throw new DuelineError('invalid', coreMessage('calendarIncomplete', address));
    return { texts: [text], mark: now };
  },
};

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (cause) {
    throw new DuelineError('notFound', engineMessage('calendarFileGone', path), { cause });
  }
}
