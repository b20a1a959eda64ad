import type { DuelineEngine } from '../../api';
import type { TaskInput } from '../../core/kernel/model';
import type { ShownMeeting } from '../../core/meetings/calendars';
import { dayMs } from '../../core/time/units';
import { plain, t } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { showInputBox, showQuickPick } from '../../ui/dialogs';
import { addedText } from '../../ui/text/addedText';
import { withIcon } from '../../ui/withIcon';

/** Asks whether the task is due before or after the meeting, and for its title. */
export async function addTaskFor(engine: DuelineEngine, meeting: ShownMeeting): Promise<Announcement | undefined> {
  const name = meeting.title || t('(no title)');
  const choice = await showQuickPick(
    [
      { ...withIcon('arrow-up', t('Before the meeting')), isAfter: false, value: t('Prepare {0}', name) },
      { ...withIcon('arrow-down', t('After the meeting')), isAfter: true, value: t('Follow up on {0}', name) },
    ],
    { title: t('Add a Task for This Meeting'), placeHolder: t('Select when the task is due') },
  );
  const title = choice && (await showInputBox({ title: choice.label, prompt: t('Title'), value: choice.value }));
  if (!choice || title === undefined || plain(title) === '') return undefined;
  const input: TaskInput = {
    title: plain(title),
    url: meeting.link ?? null,
    ...dueOf(meeting, choice.isAfter, engine.clock.timeZone),
  };
  const create = () => engine.apply([{ type: 'create', listId: engine.defaultListId(), input, meeting: meeting.uid }]);
  return perform(engine, create, added => ({ text: addedText(engine, added), added }));
}

/** Due when the meeting begins, or ends; coded as tasks are. */
function dueOf({ start, end, isAllDay, isFloating }: ShownMeeting, isAfter: boolean, timeZone: string): TaskInput {
  if (isAllDay) return { due: isAfter ? end - dayMs : start, isAllDay: true, timezone: null };
  return { due: isAfter ? end : start, isAllDay: false, timezone: isFloating ? null : timeZone };
}
