import type * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import type { Event } from '../core/kernel/events';
import type { Announce, Announcement } from './announcements';
import type { CommandRunner } from './commandRunner';
import type { TaskSelection } from './selection';

/**
 * The dependencies of views and commands, once the store is open: the door of the room that both use. Only the code that
 * composes them takes all of it; the others take the parts they use.
 *
 * @example
 * const register = ({ engine, announce }: Pick<Services, 'engine' | 'announce'>) => …
 */
export interface Services {
  readonly engine: DuelineEngine;
  readonly log: vscode.LogOutputChannel;
  readonly selection: TaskSelection;
  readonly commands: CommandRunner;
  readonly announce: Announce;
  /** Something was done in this window. */
  readonly onDidAnnounce: Event<Announcement>;
  /** The folder that contains dist/ and media/. */
  readonly extensionUri: vscode.Uri;
  /** `publisher.name`, which is another one in each flavor. */
  readonly extensionId: string;
  readonly version: string;
  /** The state that this window keeps over a reload. */
  readonly workspaceState: vscode.Memento;
}

/**
 * The services that every command is made from.
 *
 * @example
 * const undoCommand = ({ commands, engine }: CommandServices) => commands.on('dueline.undo', () => engine.undo());
 */
export type CommandServices = Pick<Services, 'commands' | 'engine'>;
