import type { DuelineApi, Id, Task, TaskList } from '../../src/api';
import type { Window } from '../../test/ui/support/window';

type Method = {
  [K in keyof DuelineApi]: DuelineApi[K] extends (...args: never[]) => unknown ? K : never;
}[keyof DuelineApi];

/** Calls the interface that the extension gives, in the window's own extension host. */
export const call = <K extends Method>(window: Window, method: K, ...args: Parameters<DuelineApi[K]>) =>
  window.run(
    async (vscode, method, args) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return (await api[method](...args)) as unknown;
    },
    method as string,
    args as unknown[],
  ) as Promise<Awaited<ReturnType<DuelineApi[K]>>>;

/** What a window knows. */
export interface Seen {
  /** Of accounts. */
  readonly lists: readonly TaskList[];
  /** Lists that no server has. */
  readonly own: readonly TaskList[];
  /** Of all lists. */
  readonly tasks: readonly Task[];
}

export const look = (window: Window): Promise<Seen> =>
  window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    await api.refresh();
    const all: TaskList[] = api.lists();
    const [lists, own] = [true, false].map(isSynced =>
      all.filter(({ accountId }) => (accountId !== null) === isSynced),
    );
    return { lists: lists!, own: own!, tasks: all.flatMap(({ id }) => api.rows(id) as Task[]) };
  });

/** As an engine answers, for what compares engines. */
export const engineOf = ({ lists, own, tasks }: Seen) => ({
  lists: () => [...lists, ...own],
  rows: (listId: Id) => tasks.filter(task => task.listId === listId),
  task: (id: Id) => tasks.find(task => task.id === id),
});

/** Living tasks without those that stand for one occurrence of a series. */
export const mastersIn = ({ tasks }: Seen): Task[] =>
  tasks.filter(({ isDeleted, masterId, recurrenceId }) => !isDeleted && masterId === null && recurrenceId === null);
