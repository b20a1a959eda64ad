import type { TaskInput } from '../kernel/model';
import { maxEstimate } from './estimate';

/** The kind of a field's value. Code that treats all fields of a kind alike switches on it. */
export type FieldKind = 'text' | 'number' | 'time' | 'flag' | 'tags' | 'id' | 'alarms';

interface FieldFacts {
  readonly kind: FieldKind;
  /** Fields that are edited, merged and lost together. A field without one is a group of its own. */
  readonly group?: 'completion' | 'dates' | 'rrule' | 'parent';
  /** The least and the greatest value of a number, or of a text that queries compare as one. */
  readonly range?: readonly [least: number, most: number];
  /** Its word in queries that ask for its value; `presence` is the word for `has:`. */
  readonly filter?: { readonly word: string; readonly meaning: string; readonly presence: string };
}

/** A field of plain text. Its facts are all that the code for such fields needs. */
interface TextFacts extends FieldFacts {
  readonly kind: 'text';
  /** The property of the VTODO. */
  readonly property: string;
  /** The table of tasks has no column for it: it is in `unknownProperties` as the line of its property. */
  readonly isLine?: true;
  /** A URI is on one line and without escapes. */
  readonly isUri?: true;
  /** A DURATION in the file, minutes in queries, and a text such as `1h30m` for the user. */
  readonly isDuration?: true;
  /** Another program's name for the property. It is read first, and kept up to date if it exists. */
  readonly also?: string;
  /** The label above its control in the form, and the name for it in a conflict. Both are translated. */
  readonly label: string;
  readonly name: string;
  readonly filter: NonNullable<FieldFacts['filter']>;
  /** Its column in a CSV file. */
  readonly csv: string;
  /** Its control among the details of the form; those without have a section of their own. */
  readonly control?: 'text' | 'url';
}

type AnyField = (FieldFacts & { readonly label?: never }) | TextFacts;

/**
 * Every field of a task that the user may set, with the facts that code for many fields needs. Rules for one field
 * alone, such as how dates depend on each other or what a rule means, have their own code.
 */
export const taskFields = {
  title: {
    kind: 'text',
    property: 'SUMMARY',
    label: 'Title',
    name: 'title',
    filter: { word: 'title', meaning: 'Text in the title', presence: 'A title' },
    csv: 'title',
  },
  description: {
    kind: 'text',
    property: 'DESCRIPTION',
    label: 'Notes',
    name: 'notes',
    filter: { word: 'notes', meaning: 'Text in the notes', presence: 'Notes' },
    csv: 'notes',
  },
  location: {
    kind: 'text',
    property: 'LOCATION',
    label: 'Location',
    name: 'location',
    filter: { word: 'location', meaning: 'Text in the location', presence: 'A location' },
    csv: 'location',
    control: 'text',
  },
  url: {
    kind: 'text',
    property: 'URL',
    isUri: true,
    label: 'URL',
    name: 'link',
    filter: { word: 'url', meaning: 'Text in the URL', presence: 'A URL' },
    csv: 'url',
    control: 'url',
  },
  // draft-ietf-calext-ical-tasks; cfait (2026) writes X-ESTIMATED-DURATION next to DUE, and Tasks.org writes none.
  estimate: {
    kind: 'text',
    property: 'ESTIMATED-DURATION',
    also: 'X-ESTIMATED-DURATION',
    isLine: true,
    isDuration: true,
    range: [1, maxEstimate],
    label: 'Estimate',
    name: 'estimate',
    filter: { word: 'est', meaning: 'Estimate, in minutes or hours', presence: 'An estimate' },
    csv: 'estimate',
  },
  color: { kind: 'number', range: [-0x80000000, 0x7fffffff] },
  tags: { kind: 'tags' },
  priority: {
    kind: 'number',
    range: [0, 9],
    filter: {
      word: 'priority',
      meaning: 'Priority: high, medium, low, none or 1 to 9',
      presence: 'A priority',
    },
  },
  status: { kind: 'number', group: 'completion', range: [0, 3] },
  percentComplete: {
    kind: 'number',
    group: 'completion',
    range: [0, 100],
    filter: { word: 'progress', meaning: 'Percent complete, 0 to 100', presence: 'A progress value' },
  },
  classification: { kind: 'number', range: [0, 2] },
  dtstart: { kind: 'time', group: 'dates' },
  due: { kind: 'time', group: 'dates' },
  duration: { kind: 'text', group: 'dates' },
  isAllDay: { kind: 'flag', group: 'dates' },
  timezone: { kind: 'text', group: 'dates' },
  rrule: { kind: 'text', group: 'rrule' },
  parentId: { kind: 'id', group: 'parent' },
  alarms: { kind: 'alarms' },
} as const satisfies Readonly<Record<keyof TaskInput, AnyField>> & Readonly<Record<string, AnyField>>;

type Table = typeof taskFields;
export type FieldName = keyof Table;

export const isField = (name: string): name is FieldName => Object.hasOwn(taskFields, name);

type NamesWith<Facts> = { [Name in FieldName]: Table[Name] extends Facts ? Name : never }[FieldName];

/** All names whose facts pass a test; the type `Name` must express the same test. */
const namesWith = <Name extends FieldName>(test: (facts: AnyField) => boolean): readonly Name[] =>
  (Object.keys(taskFields) as FieldName[]).filter((name): name is Name => test(taskFields[name]));

/** Fields by the kind of their values. Texts include those that are stored as lines. */
export type NameOfKind<Kind extends FieldKind> = NamesWith<{ readonly kind: Kind }>;
export const namesOfKind = <Kind extends FieldKind>(...kinds: readonly Kind[]): readonly NameOfKind<Kind>[] =>
  namesWith(({ kind }) => (kinds as readonly FieldKind[]).includes(kind));

/** Fields of plain text, such as `title`, `location` and `estimate`; `textFacts` has their rows of the table. */
export type TextName = NamesWith<{ readonly label: string }>;
export const textNames = namesWith<TextName>(({ label }) => label !== undefined);
export const textFacts = Object.fromEntries(textNames.map(name => [name, taskFields[name]])) as Record<
  TextName,
  TextFacts
>;

/** Numbers that queries compare. */
export type NumberName = NamesWith<{ readonly range: object; readonly filter: object }>;
export const numberNames = namesWith<NumberName>(({ range, filter }) => range !== undefined && filter !== undefined);

/** True for a text that queries compare as a number. */
export const isNumber = (name: TextName): name is Extract<TextName, NumberName> =>
  (numberNames as readonly string[]).includes(name);

/** The words of the filter language for texts and numbers. */
export type WordOf<Name extends TextName | NumberName> = Table[Name]['filter']['word'];
const byWord = <Name extends TextName | NumberName>(names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [taskFields[name].filter.word, name])) as Readonly<Record<WordOf<Name>, Name>>;
export const textOfWord = byWord(textNames);
export const numberOfWord = byWord(numberNames);

/** The columns of plain texts in a CSV file. */
export type CsvColumn<Name extends TextName = TextName> = Table[Name]['csv'];

/** Plain texts that the form shows among the details. */
export type DetailName = NamesWith<{ readonly control: string }>;
export const detailNames = namesWith<DetailName>(facts => 'control' in facts);

type LineName = NamesWith<{ readonly isLine: true }>;
export type TextColumn = Exclude<TextName, LineName>;
export const isTextColumn = (name: TextName): name is TextColumn => !textFacts[name].isLine;

/** Plain texts with a column in the table of tasks; the others are stored as lines. */
export const textColumns = textNames.filter(isTextColumn);

/** The unit in which a field is edited and merged: a group of several, or its own. */
export type FieldGroup = {
  [Name in FieldName]: Table[Name] extends { readonly group: infer Group } ? Group : Name;
}[FieldName];

/** Fields with a column in the table of tasks. */
export type FieldColumn = Exclude<FieldName, LineName>;
export const fieldColumns = namesWith<FieldColumn>(facts => !('isLine' in facts));
export const columnsOfKind = <Kind extends FieldKind>(...kinds: readonly Kind[]) =>
  namesOfKind(...kinds).filter((name): name is Exclude<NameOfKind<Kind>, LineName> => !('isLine' in taskFields[name]));

export const groupOf = (name: FieldName): FieldGroup => {
  const facts: AnyField = taskFields[name];
  return facts.group ?? (name as Exclude<FieldName, NamesWith<{ readonly group: string }>>);
};

/** Columns for the content of a task, independent of its dates and its progress. */
export type ContentColumn = Exclude<FieldName, LineName | NamesWith<{ readonly group: string }>>;
export const contentColumns = namesWith<ContentColumn>(facts => facts.group === undefined && !('isLine' in facts));
