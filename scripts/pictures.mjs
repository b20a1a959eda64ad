// The pictures of docs/images: `node scripts/pictures.mjs [theme …]`, themes being light, dark, hc, hc-light and ar (right
// to left). Every widget as a tab of a real window, and in light and dark the sidebar, Quick Add,
// the task page, the steps of the walkthrough (to media/walkthrough, small ones) and what `picturesOtherPages.mjs` shows, with
// the same tasks; before them, tasks in code in a window of their own. `--code` makes only these, `--other` only the last ones. `--out` names another folder, `--zone` a time zone.
// The bundles of dist and out are used as they are: run `node esbuild.js && node esbuild.js --tests` before.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from './loadSource.mjs';
import { root } from './paths.mjs';
import { codePictures } from './picturesCode.mjs';
import { otherPages } from './picturesOtherPages.mjs';
import { tasksFor } from './picturesTasks.mjs';
import { shrink } from './png.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { code: { type: 'boolean' }, other: { type: 'boolean' }, out: { type: 'string' }, zone: { type: 'string' } },
});
const images = resolve(values.out ?? join(root, 'docs/images'));
const folder = join(images, 'widgets');
const steps = values.out ? join(images, 'walkthrough') : join(root, 'media/walkthrough');
const looks = positionals.length > 0 ? positionals : ['light', 'dark', 'hc', 'hc-light', 'ar'];
const { withSession } = createRequire(import.meta.url)(join(root, 'out/test/ui/support/driver.js'));

const { widgets: definitions } = /** @type {typeof import('../src/core/agenda/widgets')} */ (
  loadSource('src/core/agenda/widgets.ts')
);
const sizes = /** @type {const} */ ({
  list: [320, 460],
  columns: [760, 400],
  week: [960, 400],
  month: [960, 640],
  board: [960, 400],
});

/** Kind, the file's name, the page's size. @type {[string, string, number, number][]} */
const widgets = Object.entries(definitions).map(([kind, { layout }]) => [
  kind,
  kind.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
  ...(kind === 'done' ? /** @type {const} */ ([760, 420]) : sizes[layout]),
]);

mkdirSync(folder, { recursive: true });
mkdirSync(steps, { recursive: true });
for (const look of looks) {
  const isArabic = look === 'ar';
  const settings = {
    ...(isArabic ? { 'dueline.display.language': 'ar' } : {}),
    'dueline.week.firstDay': isArabic ? 'saturday' : 'monday',
    'dueline.display.timeFormat': '24h',
    'workbench.activityBar.location': 'hidden',
    'workbench.statusBar.visible': false,
    'workbench.editor.showTabs': 'none',
    'window.commandCenter': false,
    'workbench.layoutControl.enabled': false,
    'breadcrumbs.enabled': false,
    'workbench.tips.enabled': false,
  };
  const theme = isArabic ? 'dark' : look;
  const timezone = values.zone ?? morning();
  if (!values.other && (look === 'light' || look === 'dark'))
    await codePictures(withSession, { theme, settings, images, timezone, save });
  if (values.code) continue;
  await withSession({ theme, settings, scale: 2, timezone }, async (/** @type {any} */ session) => {
    const { window } = session;
    // A window that starts takes no high contrast theme out of its settings.
    await window.theme(theme);
    await fill(window, tasksFor(isArabic ? 'ar' : 'en'));
    const isPlain = look === 'light' || look === 'dark';
    if (isPlain)
      await otherPages(session, async (part, name) =>
        save(window, await part.boundingBox(), join(images, `${name}-${look}.png`)),
      );
    if (values.other) return;
    if (isPlain) {
      await sidebar(window, look);
      await quickAdd(window, look);
      await taskPage(window, look);
      await guide(window, look);
    }
    await window.command('workbench.action.closeSidebar');
    await window.command('workbench.action.closePanel');
    for (const [kind, name, width, height] of widgets) {
      if (kind === 'done') await fillYear(window, tasksFor(isArabic ? 'ar' : 'en').tasks);
      await picture(window, { kind, name, width, height, look });
    }
  });
}

/** A zone in which it is about nine, so that the times of today are still to come. */
function morning() {
  const east = ((9 - new Date().getUTCHours() + 35) % 24) - 11;
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

/** @param {any} window @param {ReturnType<typeof tasksFor>} wanted */
async function fill(window, wanted) {
  await window.run(async (/** @type {any} */ vscode, /** @type {typeof wanted} */ { lists, tasks, done }) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
    const now = new Date();
    const midnight = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
    const ids = new Map();
    for (const { name, color } of lists) ids.set(name, await api.createList({ name, color }));
    for (const list of api.lists())
      if (![...ids.values()].includes(list.id)) await api.updateList(list.id, { isVisible: false });
    const made = new Map();
    for (const { list, title, day, time, parent, ...rest } of tasks) {
      const when =
        day === undefined
          ? {}
          : { due: midnight + day * 86_400_000 + (time ?? 0) * 60_000, isAllDay: time === undefined };
      const input = { title, ...when, ...rest, ...(parent ? { parentId: made.get(parent) } : {}) };
      made.set(title, await api.createTask(ids.get(list), input));
    }
    for (const title of done) await api.completeTask(made.get(title));
  }, wanted);
}

/** What was done before, so that the year is not empty; the same in every run. @param {any} window @param {{ title: string }[]} tasks */
async function fillYear(window, tasks) {
  const entries = Array.from({ length: 360 }, (_, days) => days + 1).flatMap(days => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString().replace(/[-:]|\.\d+/g, '');
    const count = Math.max(0, Math.floor(((Math.abs(Math.sin(days * 78.233)) * 43758.5453) % 1) * 11 - 3));
    return Array.from({ length: count }, (_, index) =>
      [
        'BEGIN:VTODO',
        `UID:${days}-${index}`,
        `SUMMARY:${tasks[(days + index) % tasks.length]?.title}`,
        'STATUS:COMPLETED',
        `COMPLETED:${at}`,
        'END:VTODO',
      ].join('\r\n'),
    );
  });
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:pictures', ...entries, 'END:VCALENDAR', ''].join('\r\n');
  await window.run(async (/** @type {any} */ vscode, /** @type {string} */ text) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
    const shown = api.lists().find((/** @type {{ isVisible: boolean }} */ list) => list.isVisible);
    await api.importTasks('ics', text, shown.id);
  }, text);
}

/** @param {any} window @param {{ kind: string, name: string, width: number, height: number, look: string }} picture */
async function picture(window, { kind, name, width, height, look }) {
  await save(window, await widget(window, kind, width, height), join(folder, `${name}-${look}.png`));
}

/** Opens one as a tab; where its page is. @param {any} window @param {string} kind @param {number} width @param {number} height */
async function widget(window, kind, width, height) {
  await window.command('workbench.action.closeAllEditors');
  await window.resize(width, height + 35);
  await window.command('dueline.openWidget', kind);
  const page = await window.frame(`body[data-boot*='"kind":"${kind}"'] dueline-widget .bottom`);
  await page.locator('.row, .card').first().waitFor();
  await page.evaluate('document.activeElement?.blur()');
  const frame = await page.frameElement();
  const box = await frame.boundingBox();
  return { x: box.x, y: box.y, width: box.width, height: box.height };
}

/** The Dueline view with its activity bar, a list of it open. @param {any} window @param {string} look */
async function sidebar(window, look) {
  const place = (/** @type {string} */ at) =>
    window.run(
      (/** @type {any} */ vscode, /** @type {string} */ at) =>
        vscode.workspace.getConfiguration('workbench').update('activityBar.location', at, 1),
      at,
    );
  await place('default');
  await window.resize(1000, 900);
  await window.view();
  const page = await window.frame('dueline-widget .bottom');
  await page.locator('.row').first().waitFor();
  // Today gets the room that its tasks need.
  const { x, y } = await window.pane('Lists').locator('.pane-header').boundingBox();
  await window.page.mouse.move(x + 100, y);
  await window.page.mouse.down();
  await window.page.mouse.move(x + 100, y + 130, { steps: 8 });
  await window.page.mouse.up();
  await window.rows('Work').first().click();
  // A tree of this width shortens the title.
  await window.rows('Review').first().waitFor();
  await window.page.mouse.move(700, 600);
  await window.page.waitForTimeout(1000);
  const right = await window.page.locator('.part.sidebar').boundingBox();
  const clip = { x: 0, y: right.y, width: right.x + right.width, height: right.height };
  await save(window, clip, join(images, `sidebar-${look}.png`));
  await place('hidden');
}

/** A line as a person types it, with what was recognized in it. @param {any} window @param {string} look */
async function quickAdd(window, look) {
  await window.resize(720, 480);
  // Answered only once the line closes.
  void window.command('dueline.quickAdd', 'Fix the login test tomorrow 9am #backend !high @Work').catch(() => {});
  const input = window.page.locator('.quick-input-widget');
  await input.locator('.monaco-list-row', { hasText: 'Fix the login test' }).first().waitFor();
  // What a line is opened with is selected.
  await window.page.keyboard.press('End');
  await window.page.waitForTimeout(500);
  await save(window, await input.boundingBox(), join(images, `quick-add-${look}.png`));
  await window.page.keyboard.press('Escape');
}

/** The task page with notes and subtasks. @param {any} window @param {string} look */
async function taskPage(window, look) {
  await window.command('workbench.action.closeSidebar');
  await window.resize(760, 505);
  const id = await window.run(async (/** @type {any} */ vscode) => {
    const api = vscode.extensions.getExtension('dueline.dueline').exports;
    const list = api.lists().find((/** @type {{ name: string }} */ { name }) => name === 'Work').id;
    const due = Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000 + 9 * 3_600_000;
    const description =
      'May run twice when two tabs wake up. See `src/auth/session.ts:118`.\n\n- [x] reproduce\n- [ ] lock per store';
    const rrule = 'FREQ=MONTHLY;BYDAY=2TU';
    const input = {
      title: 'Fix the token refresh race',
      due,
      rrule,
      description,
      priority: 1,
      tags: ['auth'],
      alarms: [{ minutesBefore: 0 }],
    };
    const id = await api.createTask(list, input);
    const first = await api.createTask(list, { title: 'Write the failing test', parentId: id });
    await api.createTask(list, { title: 'Lock per store', parentId: id, due, tags: ['team'] });
    await api.completeTask(first);
    return id;
  });
  await window.command('dueline.open', id);
  const page = await window.frame('dueline-task #title');
  await page.locator('.markdown').waitFor();
  await page.evaluate('document.activeElement?.blur()');
  const box = await (await page.frameElement()).boundingBox();
  await save(window, box, join(images, `task-page-${look}.png`));
  await window.command('workbench.action.closeAllEditors');
  await window.run(async (/** @type {any} */ vscode, /** @type {number} */ id) => {
    await vscode.extensions.getExtension('dueline.dueline').exports.deleteTask(id, { children: 'delete' });
  }, id);
}

/** What a step of the walkthrough is about: they are in the package, so they are small. @param {any} window @param {string} look */
async function guide(window, look) {
  const file = (/** @type {string} */ step) => join(steps, `${step}-${look}.png`);
  const input = window.page.locator('.quick-input-widget');
  await window.command('workbench.action.closeSidebar');
  await window.resize(600, 420);
  for (const [step, command, text, row, height] of /** @type {const} */ ([
    ['add', 'dueline.quickAdd', 'Pay rent tomorrow 9am #home !high every month', 'Pay rent', 152],
    ['filter', 'dueline.search', 'due:week list:Home', 'Renew', 104],
  ])) {
    // Answered only once the line closes.
    void window.command(command, text).catch(() => {});
    await input.locator('.monaco-list-row', { hasText: row }).first().waitFor();
    await window.page.keyboard.press('End');
    await window.page.waitForTimeout(500);
    const { x, y, width } = await input.boundingBox();
    // Without its title.
    await save(window, { x, y: y + 29, width, height }, file(step), 'step');
    await window.page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
  }
  // Without the line that adds tasks; of the week the three days around today.
  const today = await widget(window, 'today', 380, 320);
  await save(window, { ...today, y: today.y + 80, height: 184 }, file('today'), 'step');
  const week = await widget(window, 'week', 760, 260);
  const first = Math.min(4, Math.max(0, ((new Date().getDay() + 6) % 7) - 1));
  const day = week.width / 7;
  const days = { x: Math.round(week.x + first * day), width: Math.round(3 * day) };
  await save(window, { ...week, ...days, y: week.y + 38, height: 150 }, file('week'), 'step');
}

/**
 * @param {any} window
 * @param {{ x: number, y: number, width: number, height: number }} clip
 * @param {string} file
 * @param {'page' | 'step'} [use] a step has a pixel for each of CSS, and few colours
 */
async function save(window, clip, file, use = 'page') {
  const isStep = use === 'step';
  const png = await window.page.screenshot({ clip, animations: 'disabled', scale: isStep ? 'css' : 'device' });
  writeFileSync(file, Uint8Array.from(isStep ? shrink(png, 12) : shrink(png)));
  console.log(file, clip.width, clip.height);
}
