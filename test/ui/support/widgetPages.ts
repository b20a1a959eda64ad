import type { Frame } from 'playwright-core';
import type { WidgetKind } from '../../../src/query/agenda/widgets';
import type { WantedTask } from '../../page/support/widgets';
import type { Window } from './window';

/** A widget as the only editor tab, once it shows the text in a row or a card. */
export async function openWidget(window: Window, kind: WidgetKind, text: string | RegExp): Promise<Frame> {
  await window.command('workbench.action.closeAllEditors');
  await window.command('dueline.openWidget', kind);
  return widgetWith(window, kind, text);
}

/** The open widget of that kind with the text in a row or a card. */
const widgetWith = (window: Window, kind: WidgetKind, text: string | RegExp): Promise<Frame> =>
  window.frame(`body[data-boot*='"kind":"${kind}"'] :is(.row, .card)`, text);

export const rowsOf = (page: Frame, text: string) => page.locator('.row, .card').filter({ hasText: text });

/** Makes lists and tasks, by their names. */
export async function fill(window: Window, lists: readonly string[], tasks: readonly WantedTask[]): Promise<void> {
  await window.run(
    async (vscode, lists, tasks) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const now = new Date();
      const midnight = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
      const known = () =>
        new Map<string, number>(api.lists().map((list: { name: string; id: number }) => [list.name, list.id]));
      for (const name of lists) if (!known().has(name)) await api.createList({ name });
      const parents = new Map<string, number>();
      for (const { list, day, time, parent, ...rest } of tasks) {
        const due = day === undefined ? {} : { due: midnight + day * 86_400_000 + (time ?? 0) * 60_000 };
        const below = parent === undefined ? {} : { parentId: parents.get(parent) };
        const input = { ...rest, ...due, ...below, isAllDay: day !== undefined && time === undefined };
        parents.set(rest.title, await api.createTask(known().get(list), input));
      }
    },
    lists,
    tasks,
  );
}

/** Has the completion of a parent ask about its open subtasks; without an answer, as by default. */
export const asksAboutSubtasks = (window: Window, answer?: 'ask'): Promise<void> =>
  window.run(async (vscode, answer) => {
    const settings = vscode.workspace.getConfiguration('dueline.completion');
    await settings.update('completeSubtasks', answer ?? undefined, vscode.ConfigurationTarget.Global);
  }, answer);

/** Takes every task away, so that the next test begins with none. */
export const clear = (window: Window): Promise<void> =>
  window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
    const rows = api.lists().flatMap((list: { id: number }) => api.rows(list.id));
    const open = rows.filter((row: { isDeleted: boolean; masterId: number | null }) => !row.isDeleted && !row.masterId);
    if (open.length > 0) await api.apply(open.map((row: { id: number }) => ({ type: 'delete', id: row.id })));
  });

/** The task of that title as it is now. */
export const taskNamed = (window: Window, title: string) =>
  window.run(async (vscode, title) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
    const rows = api.lists().flatMap((list: { id: number }) => api.rows(list.id));
    const row = rows.find((one: { title: string; isDeleted: boolean }) => one.title === title && !one.isDeleted);
    return (
      row && {
        id: row.id,
        listId: row.listId,
        status: row.status,
        priority: row.priority,
        due: row.due,
        tags: [...row.tags],
      }
    );
  }, title);
