import { messageTable } from '../core/kernel/message';

/**
 * The engine's messages.
 *
 * @example
 * throw new DuelineError('readOnly', engineMessage('listReadOnly', list.name));
 */
export const engineMessage = messageTable({
  argumentInvalid: 'Argument {0} of {1} must be {2}.',
  noNetwork: 'Dueline Offline has no network access.',
  noList: 'There is no list to add tasks to. Create one first.',
  offlineFlavor: 'In Dueline Offline, all lists are on this computer.',
  listNotYours: '“{0}” is read-only. Only its owner can change its name and color.',
  listNameRequired: 'A list name is required.',
  listGone: 'This list no longer exists.',
  alreadyInList: '“{0}” already contains this task.',
  foreignListNotMovable: '“{0}” belongs to someone else. Its tasks cannot be moved to another list.',
  listReadOnly: 'You do not have permission to edit “{0}”.',
  subtaskInOtherList: 'A subtask must be in the same list as its parent.',
  subtaskOfItself: 'A task cannot be a subtask of itself.',
  occurrenceRepeat: 'A single occurrence cannot have its own repeat. Change the series instead.',
  parentGone: 'The parent task no longer exists.',
  seriesMovedOn: 'This date is no longer part of the series. Change the series instead.',
  notRepeating: 'This task does not repeat.',
  shortIdUnknown: 'No task has the ID “{0}”.',
  shortIdOfSeveral: 'Several tasks have an ID that starts with “{0}”: {1}. Enter more characters.',
  taskGone: 'This task no longer exists.',
  dependsOnItself: 'A task cannot depend on itself.',
  dependencyCircle: 'These tasks would depend on each other in a circle: {0}.',
  durationWithoutStart: 'A duration requires a start date.',
  foreignListNotDeletable: '“{0}” belongs to someone else, so only they can delete it. You can hide it instead.',
  durationInvalid: '“{0}” is not a duration. Use a format like P1D or PT1H30M.',
  estimateInvalid: '“{0}” is not an estimate. Use a format like 30m, 1h30 or 2h.',
  timeZoneUnknown: '“{0}” is not a known time zone. Use an IANA name such as Europe/Berlin, or UTC.',
  textNoListNamed: 'There is no list named “{0}”.',
  textListReadOnly: '“{0}” is read-only.',
  textNoDate: '“{0}” does not exist in the calendar, so it stays in the title.',
  textTemplate: 'A template only makes new tasks. Move “{0}” to a line of its own.',
  textTaskGone: 'The task was deleted in the meantime. Remove the ID to add it as a new task.',
  textIdTwice: '{0} is in the text twice. This line becomes a new task.',
  textIdUnknown: 'No task of this text has the ID {0}. This line becomes a new task.',
  textChangedMeanwhile: 'The task was changed in the meantime. Save again to replace that change.',
  textTooDeep: 'A text can be nested at most {0} levels deep.',
  textCircle: 'These tasks would depend on each other in a circle.',
  urlLineBreak: 'A URL cannot contain a line break.',
  calendarFileGone: 'The calendar file {0} cannot be found. If it was moved, add it again.',
  calendarTooLarge: 'The calendar file {0} is too large. Export fewer events and add that file instead.',
  calendarCut: 'This calendar has more meetings than Dueline reads. Some are not shown.',
  noCalendarFile: 'The file {0} is not an iCalendar file.',
});
