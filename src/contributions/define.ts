/** The definitions of one command and one setting. Data alone: the manifest is made of it, the code has its types. */

export interface MenuItem {
  /** A menu of the editor, or a submenu of ours. */
  readonly menu: string;
  readonly group: string;
  readonly when?: string;
}

export interface Keybinding {
  readonly key: string;
  readonly mac?: string;
  readonly when?: string;
  readonly args?: unknown;
  /** A command of the editor that the key runs before this one, without a way through the extension host. */
  readonly first?: string;
}

interface CommandParts {
  /**
   * The condition under which the palette lists it; always if there is none. A command that means one row, or that a
   * page or a question of ours calls, is not listed.
   */
  readonly palette?: string | false;
  /** A codicon's name. */
  readonly icon?: string;
  readonly enablement?: string;
  readonly menus?: readonly MenuItem[];
  readonly keys?: readonly Keybinding[];
}

export interface CommandDefinition<Args extends unknown[] = unknown[]> extends CommandParts {
  /** For the compiler alone: there is never a value. */
  readonly takes?: Args;
}

/** Its title is the word `command.<id>` of package.nls.json, its arguments are the type parameter. */
export const command = <Args extends unknown[] = []>(parts: CommandParts = {}): CommandDefinition<Args> => parts;

/** The parts of a setting in the manifest besides its type and its default. */
interface SettingParts {
  /** `application` if absent. */
  readonly scope?: 'window' | 'machine';
  readonly restricted?: true;
  readonly ignoreSync?: true;
  readonly tags?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  /** Names of the choices that are the same in every language. */
  readonly enumItemLabels?: readonly string[];
  /** Its descriptions have links or code in them. */
  readonly isMarkdown?: true;
}

/** The schema of a value inside a setting: as much of JSON Schema as the manifest uses. */
export interface Schema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface SettingDefinition<Value = unknown>
  extends SettingParts,
    Omit<Schema, 'minimum' | 'maximum' | 'pattern'> {
  readonly default: Value;
  readonly uniqueItems?: true;
  /** Each choice has a word of its own: `setting.<id>.<choice>`. */
  readonly describesChoices?: true;
}

// Each has the word `setting.<id>` of package.nls.json.
export const flag = (value: boolean, parts: SettingParts = {}): SettingDefinition<boolean> => ({
  type: 'boolean',
  default: value,
  ...parts,
});

export const integer = (value: number, parts: SettingParts = {}): SettingDefinition<number> => ({
  type: 'integer',
  default: value,
  ...parts,
});

export const textSetting = (value: string, parts: SettingParts = {}): SettingDefinition<string> => ({
  type: 'string',
  default: value,
  ...parts,
});

/** A setting with one of several values, each of which has a description. */
export const choice = <const Value extends string>(
  values: readonly Value[],
  value: NoInfer<Value>,
  parts: SettingParts = {},
): SettingDefinition<Value> => ({ ...plainChoice(values, value, parts), describesChoices: true });

/** A setting with one of several values that need no description of their own. */
export const plainChoice = <const Value extends string>(
  values: readonly Value[],
  value: NoInfer<Value>,
  parts: SettingParts = {},
): SettingDefinition<Value> => ({ type: 'string', default: value, enum: values, ...parts });

/** Each value once. */
export const setOf = <Item>(
  items: Schema,
  value: readonly Item[],
  parts: SettingParts = {},
): SettingDefinition<readonly Item[]> => ({ ...arraySetting<Item>(items, value, parts), uniqueItems: true });

/** Each value once, out of some words that are explained. */
export const choices = <const Item extends string>(
  values: readonly Item[],
  value: readonly NoInfer<Item>[],
): SettingDefinition<readonly Item[]> => ({
  ...setOf<Item>({ type: 'string', enum: values }, value),
  describesChoices: true,
});

export const arraySetting = <Item>(
  items: Schema,
  value: readonly Item[],
  parts: SettingParts = {},
): SettingDefinition<readonly Item[]> => ({ type: 'array', items, default: value, ...parts });

/** Values by name. */
export const record = (
  properties: Readonly<Record<string, Schema>>,
  parts: SettingParts = {},
): SettingDefinition<Record<string, unknown>> => ({
  type: 'object',
  default: {},
  additionalProperties: false,
  properties,
  ...parts,
});
