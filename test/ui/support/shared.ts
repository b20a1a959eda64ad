import { Session, type SessionOptions } from './driver';
import { themeName } from './themes';
import { until } from './wait';
import { clear } from './widgetPages';

/** The options that differ from file to file in a window that several share; all others are settled at its start. */
interface WindowOptions extends Pick<SessionOptions, 'theme' | 'size' | 'settings'> {
  /** The editor's own extensions that all files of the window want, and what is on its disk before it starts. */
  own?: Pick<SessionOptions, 'builtIn' | 'files'>;
  /** A window in which nothing has been done yet. */
  isFirst?: boolean;
  /** A window in which no task was added yet, though another file may have had it. */
  isUntouched?: boolean;
}

interface Shared {
  session: Session;
  vsix: string | undefined;
  /** The settings of the file before. */
  settings: readonly string[];
  /** Its last test passed. After a failure, also of what comes before a test, nobody knows what the window shows. */
  isSound: boolean;
}

const key = Symbol.for('dueline.sharedWindow');
/** Each file is a bundle with a copy of this module in it; one window serves all of them. */
const here = globalThis as { [key]?: Shared | undefined };

/**
 * The window of the files that ask for nothing special, which starts once: a start costs more than most files. It has no
 * task, list, account, tab or note of the file before, all lists are closed, and it shows the Explorer. After a failed test
 * the next file gets a new one. The sidebar and its views keep the sizes that they were given at first.
 */
export async function sharedSession(
  { isFirst = false, isUntouched = false, ...options }: WindowOptions,
  vsix?: string,
): Promise<Session> {
  if (isFirst || here[key]?.vsix !== vsix || !here[key]?.isSound) await end();
  if (isUntouched && here[key] && (await hasTasks(here[key].session))) await end();
  const shared = here[key];
  if (shared) {
    shared.isSound = false;
    await begin(shared, options);
  } else {
    const settings = Object.keys(options.settings ?? {});
    here[key] = { session: await start(options, vsix), vsix, settings, isSound: false };
  }
  return here[key]!.session;
}

/** Every task that was added before is in the trash by now, or still in its list. */
const hasTasks = ({ window }: Session): Promise<boolean> =>
  window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    const rows = api.lists().flatMap(({ id }: { id: number }) => api.rows(id));
    return rows.length + (await api.trash()).length > 0;
  });

const start = (options: WindowOptions, vsix: string | undefined): Promise<Session> =>
  Session.open({ ...options, ...options.own, timezone: 'Europe/Berlin', ...(vsix !== undefined && { vsix: [vsix] }) });

async function begin(shared: Shared, { theme = 'light', size, settings = {} }: WindowOptions): Promise<void> {
  const { window, server } = shared.session;
  await window.resize(size?.width ?? 1280, size?.height ?? 800);
  await window.run(
    async (vscode, before, settings) => {
      const all = vscode.workspace.getConfiguration();
      for (const name of before) if (!(name in settings)) await all.update(name, undefined, true);
      for (const [name, value] of Object.entries(settings)) await all.update(name, value, true);
      const { executeCommand } = vscode.commands;
      await executeCommand('workbench.action.closeQuickOpen');
      await executeCommand('workbench.action.closeAllEditors');
      await executeCommand('workbench.action.closePanel');
    },
    shared.settings,
    { 'workbench.colorTheme': themeName(theme, server.release), ...settings },
  );
  shared.settings = Object.keys(settings);
  await window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    for (const { id } of api.accounts()) await api.removeAccount(id);
  });
  await clear(window);
  await window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    const [, ...more] = api
      .lists()
      .map(({ id }: { id: number }) => id)
      .sort((one: number, other: number) => one - other);
    for (const id of more) await api.deleteList(id);
  });
  await window.command('notifications.clearAll');
  await window.view();
  await window.command('workbench.actions.treeView.dueline.lists.collapseAll');
  // A row of the file before would be taken for one of the next.
  const rows = window.pane('Lists').locator('.monaco-list-row');
  await until('the Inbox alone', 60_000, async () => (await rows.count()) === 1);
  await window.command('workbench.view.explorer');
}

async function end(): Promise<void> {
  const session = here[key]?.session;
  here[key] = undefined;
  await session?.close();
}

afterEach(function () {
  if (here[key]) here[key].isSound = this.currentTest?.state === 'passed' || this.currentTest?.isPending() === true;
});
after(end);
