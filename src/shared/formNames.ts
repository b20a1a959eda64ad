// The names of parts and acts of the task form, on both sides.
import { type DetailName, detailNames } from '../core/fields/table';

/** The page shows these as chips, each of which is edited in a line of text. */
export const chipKinds = [
  'due',
  'start',
  'repeat',
  'priority',
  'listId',
  'tags',
  'alarm',
  'estimate',
  'after',
] as const;
export type ChipKind = (typeof chipKinds)[number];

const ownFields = [
  'title',
  'notes',
  'listId',
  'tags',
  'status',
  'progress',
  'priority',
  'classification',
  'color',
  'due',
  'start',
  'times',
  'timezone',
  'duration',
  'estimate',
] as const;
export type FormField = (typeof ownFields)[number] | DetailName;
export const formFields: readonly FormField[] = [...ownFields, ...detailNames];

export const formActs = [
  'complete',
  'editNotes',
  'openLink',
  'duplicate',
  'delete',
  'copyLink',
  'copyShortId',
  'pinHere',
  'undo',
  'redo',
  'showKeys',
] as const;
export type FormAct = (typeof formActs)[number];
