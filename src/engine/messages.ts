import { messageTable } from '../core/message';

/** What the engine says. */
export const engineMessage = messageTable({
  argumentInvalid: 'Argument {0} of {1} must be {2}.',
  noNetwork: 'Dueline Offline has no network access.',
  noList: 'There is no list to add tasks to. Create one first.',
  offlineFlavor: 'In Dueline Offline, all lists are on this computer.',
  listNotYours: '“{0}” is read-only. Only its owner can change its name and color.',
  listNameRequired: 'A list name is required.',
  listGone: 'This list no longer exists.',
  alreadyInList: '“{0}” already contains this task.',
  occurrenceNotMovable: 'A single occurrence cannot be moved. Move the whole series instead.',
  foreignListNotMovable: '“{0}” belongs to someone else. Its tasks cannot be moved to another list.',
  listReadOnly: 'You do not have permission to edit “{0}”.',
  subtaskInOtherList: 'A subtask must be in the same list as its parent.',
  subtaskOfItself: 'A task cannot be a subtask of itself.',
  occurrenceRepeat: 'A single occurrence cannot have its own repeat. Change the series instead.',
  occurrenceSubtask: 'A single occurrence of a series cannot have subtasks.',
  parentGone: 'The parent task no longer exists.',
  notRepeating: 'This task does not repeat.',
  taskGone: 'This task no longer exists.',
  durationWithoutStart: 'A duration requires a start date.',
  foreignListNotDeletable: '“{0}” belongs to someone else, so only they can delete it. You can hide it instead.',
  durationInvalid: '“{0}” is not a duration. Use a format like P1D or PT1H30M.',
  timeZoneUnknown: '“{0}” is not a known time zone. Use an IANA name such as Europe/Berlin, or UTC.',
  urlLineBreak: 'A URL cannot contain a line break.',
});
