import type { Window } from './window';

/** Titles of the tasks that a query finds, as the window's own engine has them. */
export const titles = (window: Window, query: string): Promise<string[]> =>
  window.run(async (vscode, query) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    return api.query(query).map((found: { task: { title: string } }) => found.task.title) as string[];
  }, query);

interface AccountSeen {
  id: number;
  displayName: string;
  username: string;
  error: string | null;
  problem: string;
  remedy: string | null;
}

export const accounts = (window: Window): Promise<AccountSeen[]> =>
  window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    return api.accounts().map((one: { id: number; displayName: string; username: string }) => {
      const { error, problem, remedy } = api.syncing.accountState(one.id);
      const { id, displayName, username } = one;
      return { id, displayName, username, error: error?.text ?? null, problem, remedy };
    });
  });

/** Adds an account without the dialogs, for what comes after them. */
export const connect = (
  window: Window,
  server: { url: string; username: string; password: string },
  displayName: string,
  syncs = true,
): Promise<number> =>
  window.run(
    async (vscode, serverUrl, username, password, displayName, syncs) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const id = await api.addAccount({ serverUrl, username, password, displayName });
      if (syncs) await api.sync();
      return id as number;
    },
    server.url,
    server.username,
    server.password,
    displayName,
    syncs,
  );
