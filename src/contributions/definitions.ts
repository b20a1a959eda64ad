/**
 * The door of the contributions: all commands and settings, from which `manifest.ts` makes package.json.
 *
 * The code takes types alone from here, so that no definition is in a bundle.
 */

import { agentCommands } from './commands/agents';
import { dataCommands } from './commands/data';
import { filterCommands } from './commands/filters';
import { generalCommands } from './commands/general';
import { listCommands } from './commands/lists';
import { scheduleCommands } from './commands/schedule';
import { serverCommands } from './commands/servers';
import { taskCommands } from './commands/tasks';
import type { CommandDefinition, SettingDefinition } from './define';
import { agentSettings } from './settings/agents';
import { dateSettings } from './settings/dates';
import { codeSettings, displaySettings } from './settings/display';
import { syncSettings } from './settings/sync';
import { taskSettings } from './settings/tasks';

export const commands = {
  ...taskCommands,
  ...scheduleCommands,
  ...listCommands,
  ...filterCommands,
  ...generalCommands,
  ...dataCommands,
  ...serverCommands,
  ...agentCommands,
};

/** The settings by the key of their heading, in the order of the settings editor. */
export const settingSections = {
  tasks: taskSettings,
  dates: dateSettings,
  display: displaySettings,
  code: codeSettings,
  sync: syncSettings,
  agents: agentSettings,
};

export const settings = {
  ...taskSettings,
  ...dateSettings,
  ...displaySettings,
  ...codeSettings,
  ...syncSettings,
  ...agentSettings,
};

export type CommandId = keyof typeof commands;
export type CommandArgs<K extends CommandId> =
  (typeof commands)[K] extends CommandDefinition<infer Args> ? Args : never;

export type SettingId = keyof typeof settings;
export type SettingValue<K extends SettingId> =
  (typeof settings)[K] extends SettingDefinition<infer Value> ? Value : never;
