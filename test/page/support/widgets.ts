import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import type { Id, Task, TaskInput } from '../../../src/core/kernel/model';
import { type WidgetKind, widgetKinds, widgets } from '../../../src/query/agenda/widgets';
import type { Words } from '../../support/vscode/changes';
import type { Editor } from '../../support/vscode/editor';
import { axe, axeInThemes } from './axe';

/** The kinds that show open tasks. */
export const openKinds = widgetKinds.filter(kind => kind !== 'done');

/** The first kind of each layout: Today is a list, Lists has columns, and Week, Month and Board have their own. */
export const layoutKinds = widgetKinds.filter(
  kind => kind === widgetKinds.find(other => widgets[other].layout === widgets[kind].layout),
);

/** A widget as the only editor tab, once it shows the text in a row or a card. */
export async function openWidget(editor: Editor, kind: WidgetKind, text: Words): Promise<Frame> {
  await editor.command('workbench.action.closeAllEditors');
  await editor.command('dueline.openWidget', kind);
  return widgetWith(editor, kind, text);
}

/** The open widget of that kind with the text in a row or a card. */
export const widgetWith = (editor: Editor, kind: WidgetKind, text: Words): Promise<Frame> =>
  editor.frame(`body[data-boot*='"kind":"${kind}"'] :is(.row, .card)`, text);

export const rowsOf = (page: Frame, text: string) => page.locator('.row, .card').filter({ hasText: text });

/** The row of a task by its title, which the rows of its subtasks show too. */
export const rowOfTask = (page: Frame, title: string) =>
  rowsOf(page, title).filter({ hasNot: page.locator('.parent', { hasText: title }) });

const dayMs = 86_400_000;
const minuteMs = 60_000;

export interface WantedTask {
  readonly list: string;
  readonly title: string;
  /** Days from today; absent: no date. */
  readonly day?: number;
  /** Minutes of the day; absent: all day. */
  readonly time?: number;
  readonly rrule?: string;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly parent?: string;
  readonly alarms?: TaskInput['alarms'];
}

/** Makes lists and tasks, by their names. */
export async function fill(
  { engine, clock }: Editor,
  lists: readonly string[],
  tasks: readonly WantedTask[],
): Promise<void> {
  const midnight = Math.floor(clock.now() / dayMs) * dayMs;
  const idOf = (name: string) => engine.lists().find(list => list.name === name)?.id;
  for (const name of lists) if (idOf(name) === undefined) await engine.createList({ name });
  const parents = new Map<string, Id>();
  for (const { list, day, time, parent, ...rest } of tasks) {
    const due = day === undefined ? {} : { due: midnight + day * dayMs + (time ?? 0) * minuteMs };
    const below = parent === undefined ? {} : { parentId: parents.get(parent)! };
    const input = { ...rest, ...due, ...below, isAllDay: day !== undefined && time === undefined } as TaskInput;
    parents.set(rest.title, await engine.createTask(idOf(list)!, input));
  }
}

/** Takes every task away, and waits until no tree shows one of them: a click would mean what is gone. */
export async function clear({ engine, changes, views }: Editor): Promise<void> {
  const rows = engine.lists().flatMap(list => engine.rows(list.id));
  const masters = rows.filter(row => !row.isDeleted && !row.masterId);
  if (masters.length > 0) await engine.apply(masters.map(({ id }) => ({ type: 'delete' as const, id })));
  const gone = new Set(rows.map(({ id }) => id));
  const isGone = ({ node }: { node: unknown }) => !gone.has((node as { taskId?: Id }).taskId ?? -1);
  await changes.until('trees without the tasks', () =>
    [...views.trees.values()].every(tree => tree.rows.every(isGone)),
  );
}

/** The task of that title as it is now. */
export const taskNamed = ({ engine }: Editor, title: string): Task | undefined =>
  engine
    .lists()
    .flatMap(list => engine.rows(list.id))
    .find(row => row.title === title && !row.isDeleted);

/** Resolves once the task is so; checked after each change of the store. */
export function becomes(editor: Editor, title: string, part: Partial<Task>): Promise<true> {
  const isSo = () => {
    const task = taskNamed(editor, title) as Record<string, unknown> | undefined;
    return Object.entries(part).every(([key, value]) => JSON.stringify(task?.[key]) === JSON.stringify(value));
  };
  return editor.changes.until(`${title} to be ${JSON.stringify(part)}`, isSo) as Promise<true>;
}

/** The page is as large as the editor leaves it in a window of that size without the sidebar. */
export const resizeWindow = (editor: Editor, width: number, height: number): Promise<void> =>
  editor.resize(width - 58, height - 71);

/** Nothing lies over its middle, and no edge cuts it off. */
export const isInSight = (one: Locator): Promise<boolean> =>
  one.evaluate(element => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
  });

/** Until the list of rows in a column, or of the unscheduled tasks, has the focus. */
export const hasFocus = (place: Locator): Promise<void> => place.locator('.tree:focus').waitFor({ state: 'attached' });

/** axe finds nothing in a widget that shows the text, in every theme and right to left. */
export async function passesAxe(editor: Editor, kind: WidgetKind, text: string): Promise<void> {
  const open = async () => {
    const page = await openWidget(editor, kind, text);
    await rowsOf(page, text).first().click();
    return page;
  };
  assert.deepEqual(await axeInThemes(editor, await open()), []);
  await editor.theme('dark');
  editor.settings.update('dueline.display.language', 'ar');
  assert.deepEqual(await axe(await open()), [], 'right to left');
  editor.settings.update('dueline.display.language', undefined);
}

/** Resolves once `check` is true; it runs again with each frame that the page draws. */
export async function shows(page: Frame, subject: string, check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`never shown: ${subject}`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

/** Until an expression is true in the page: its policy allows no code from text, which Playwright's own wait needs. */
export const isTrue = (page: Frame, expression: string): Promise<void> =>
  shows(page, expression, () => page.evaluate<boolean>(`Boolean(${expression})`));

/** Nothing that the page delays by more than a second comes, so that a test sees what comes without it. */
export const endless = (page: Frame): Promise<unknown> =>
  page.evaluate(`{
    const later = window.setTimeout;
    window.setTimeout = (work, pause, ...args) => later(work, pause > 1000 ? 1e9 : pause, ...args);
  }`);
