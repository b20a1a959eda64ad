import type { AccountState } from '../../../src/core/sync/syncState';
import type { FaultProxy } from '../../interop/support/faultProxy';
import { Peer } from '../../interop/support/peer';
import { type Server, startRadicale } from '../../interop/support/servers';
import { Editor } from '../../support/vscode/editor';
import type { PasswordFront } from './edges';

/** Everything between the editor and the server. */
type Front = FaultProxy | PasswordFront;

interface HomeOptions<F extends Front> {
  readonly front: (server: Server) => Promise<F>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An editor, and a server with a front before it: sync begins when it is asked to, unless the settings differ. */
export class Home<F extends Front> {
  /** Another program, with Errands in view. */
  readonly peer: Peer;
  private constructor(
    readonly editor: Editor,
    readonly server: Server,
    readonly front: F,
  ) {
    this.peer = new Peer(server, '/anna/errands/');
  }

  static async open<F extends Front>({ front, settings }: HomeOptions<F>): Promise<Home<F>> {
    const server = await startRadicale();
    const editor = await Editor.open({ settings: { 'dueline.sync.intervalMinutes': 0, ...settings } });
    return new Home(editor, server, await front(server));
  }

  /** Nothing is on the server but what `fill` puts there, and nothing here. */
  async empty(fill: (peer: Peer) => Promise<unknown>): Promise<void> {
    await empty(this.editor);
    await this.peer.clear();
    await fill(this.peer);
  }

  /** Signs in, and syncs. */
  connect(displayName = 'Home server'): Promise<number> {
    const { editor, server, front } = this;
    return connect(editor, 'login' in front ? front.login : { ...server, url: front.url }, displayName);
  }

  async close(): Promise<void> {
    await this.editor.close();
    await this.front.stop();
    await this.server.stop();
  }
}

/** Adds an account without its questions, for what comes after them. */
export async function connect(
  { engine }: Editor,
  { url: serverUrl, username, password }: Pick<Server, 'url' | 'username' | 'password'>,
  displayName: string,
  syncs = true,
): Promise<number> {
  const id = await engine.addAccount({ serverUrl, username, password, displayName });
  if (syncs) await engine.sync();
  return id;
}

/** Takes every account away, and every list but the Inbox. */
export async function empty({ engine }: Editor): Promise<void> {
  await engine.syncing!.setPaused(false);
  for (const { id } of engine.accounts()) await engine.removeAccount(id);
  for (const { id, name } of engine.lists()) if (name !== 'Inbox') await engine.deleteList(id);
}

/** Titles of the tasks that a query finds. */
export const titles = ({ engine }: Editor, query: string): string[] =>
  engine.query(query).map(({ task }) => task.title ?? '');

/** Resolves once a query finds this many tasks. */
export const finds = (editor: Editor, query: string, count = 1): Promise<true> =>
  editor.changes.until(`${count} tasks for ${query}`, () => titles(editor, query).length === count);

/** The outcome of the last run of the only account. */
export const accountState = ({ engine }: Editor): AccountState =>
  engine.syncing!.accountState(engine.accounts()[0]!.id);

/** Until the only account is fine. */
export const isFine = (editor: Editor): Promise<true> =>
  editor.changes.until('the account to be fine', () => accountState(editor).problem === 'none');

export const listNamed = ({ engine }: Editor, name: string) => engine.lists().find(list => list.name === name);

/** Until the text in front, or one of two that are compared, has the words. */
export const shownText = ({ changes, tabs }: Editor, words: string): Promise<true> =>
  changes.until(`a text with ${words}`, () => tabs.texts.some(text => text.includes(words)));

/** The words for a screen reader of the red item in the status bar. */
export const redStatus = ({ statusItems }: Editor): string | undefined => {
  const item = statusItems.find(
    ({ isShown, backgroundColor }) =>
      isShown && (backgroundColor as { id?: string } | undefined)?.id === 'statusBarItem.errorBackground',
  );
  return item && ((item.accessibilityInformation as { label: string } | undefined)?.label ?? item.text);
};
