// The pictures of docs/images and media/walkthrough, from the bundles that are in dist:
// `node scripts/run.mjs pictures [light|dark|hc|hc-light|ar ...]`, `ar` being Arabic in dark.
import { join } from 'node:path';
import { dayMs, hourMs } from '../src/core/time/units';
import { type WidgetKind, widgets } from '../src/query/agenda/widgets';
import { calendar, todo } from '../test/sync/support/texts';
import type { SessionOptions } from '../test/ui/support/driver';
import type { Theme } from '../test/ui/support/themes';
import type { Window } from '../test/ui/support/window';
import { codePictures } from './pictures/code';
import { dayPictures, daySettings } from './pictures/day';
import { otherPages } from './pictures/pages';
import { boxOf, type Draw, leaveQuestion, type Part, save, typed, widget, withSession } from './pictures/window';

const sizes = {
  list: [320, 460],
  columns: [760, 400],
  week: [960, 400],
  month: [960, 640],
  board: [960, 400],
} as const;

/** A zone in which it is about nine, so that the times of today are still to come. */
const east = ((9 - new Date().getUTCHours() + 35) % 24) - 11;
const timezone = `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
const today = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format());
const days = (count: number, hour = 0) => today + count * dayMs + hour * hourMs;

/** In English and Arabic: a title with its tag, and when it is due in days from today and hours of the day. */
const tasks = [
  ['Work', 'Send the release candidate #release', 'إرسال النسخة المرشحة #إصدار', [-2], { priority: 1 }],
  ['Home', 'Renew the library books', 'تجديد استعارة كتب المكتبة', [-1]],
  ['Work', 'Review the storage design', 'مراجعة تصميم التخزين', [0, 14], { priority: 5 }],
  ['Work', 'Read the crash test report', 'قراءة تقرير اختبار الأعطال', [], { parent: 2 }],
  ['Work', 'Run it once myself', 'تشغيله مرة بنفسي', [], { parent: 2, isDone: true }],
  ['Home', 'Water the plants', 'سقي النباتات', [0], { rrule: 'FREQ=DAILY;INTERVAL=3' }],
  ['Home', 'Dinner with Lena', 'Dinner with Lena', [0, 19.5]],
  ['Work', 'Write the changelog #release', 'كتابة سجل التغييرات #إصدار', [2]],
  ['Work', 'Draft the sync notes', 'مسودة ملاحظات المزامنة', [-4, 10], { isDone: true }],
  ['Home', 'Plan next week', 'التخطيط للأسبوع القادم', [1, 18], { rrule: 'FREQ=WEEKLY' }],
  ['Home', 'Groceries', 'شراء البقالة', [-5], { isDone: true }],
  ['Home', 'Call the dentist #health', 'الاتصال بطبيب الأسنان #صحة', [1, 9]],
  ['Home', 'Pay the rent #money', 'دفع الإيجار #مال', [4], { priority: 1 }],
  ['Work', 'Slides for the team day', 'شرائح يوم الفريق', [3, 14], { priority: 5 }],
] as const;

const basicSettings = {
  'dueline.week.firstDay': 'monday',
  'dueline.display.timeFormat': '24h',
  'workbench.activityBar.location': 'hidden',
  'workbench.statusBar.visible': false,
  'workbench.editor.showTabs': 'none',
  'breadcrumbs.enabled': false,
};

const requested = process.argv.slice(2);
const variants = requested.length > 0 ? requested : ['light', 'dark', 'hc', 'hc-light', 'ar'];
for (const variant of variants) await take(variant as Theme | 'ar');

/** Every widget as a tab of a real window, and in light and dark what the other pages of docs show. */
async function take(variant: Theme | 'ar'): Promise<void> {
  const isArabic = variant === 'ar';
  const arabic = { 'dueline.display.language': 'ar', 'dueline.week.firstDay': 'saturday' };
  const settings = { ...basicSettings, ...(isArabic ? arabic : {}) };
  const theme = isArabic ? 'dark' : variant;
  const isPlain = variant === 'light' || variant === 'dark';
  const session = { theme, settings, scale: 2, timezone };
  const draw: Draw = (window, part, name) => save(window, part, `docs/images/${name}-${variant}.png`);
  if (isPlain) {
    await codePictures(session, draw);
    await day(session, draw);
  }
  await withSession(session, async ({ window, server }) => {
    // A window that starts takes no high contrast theme out of its settings.
    await window.theme(theme);
    const work = await fill(window, isArabic);
    if (isPlain) {
      const program = join(server.user, 'globalStorage/dueline.dueline/bin/dueline');
      await otherPages({ window, work, program, due: days(1, 9), draw: (part, name) => draw(window, part, name) });
      await walkthrough(window, variant);
    }
    await window.command('workbench.action.closeSidebar');
    await window.command('workbench.action.closePanel');
    for (const [kind, { layout }] of Object.entries(widgets)) {
      if (kind === 'done') await fillYear(window, work);
      const [width, height] = kind === 'done' ? [760, 420] : sizes[layout];
      const name = kind.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
      await draw(window, await widget(window, kind as WidgetKind, width, height), `widgets/${name}`);
    }
  });
}

/** Meetings and estimates, in Today and Week. */
function day(options: SessionOptions, draw: Draw): Promise<void> {
  return withSession({ ...options, settings: { ...options.settings, ...daySettings } }, async ({ window }) => {
    await window.theme(options.theme!);
    await fill(window, false);
    await window.command('workbench.action.closeSidebar');
    await dayPictures(window, days, draw);
  });
}

/** Fills the store, and returns the list for work. */
async function fill(window: Window, isArabic: boolean): Promise<number> {
  for (const { id } of await window.api('lists')) await window.api('updateList', id, { isVisible: false });
  const argb = (rgb: number) => rgb | 0xff000000 | 0;
  const lists = {
    Work: await window.api('createList', { name: isArabic ? 'العمل' : 'Work', color: argb(0xd9534f) }),
    Home: await window.api('createList', { name: isArabic ? 'المنزل' : 'Home', color: argb(0x4a9d5b) }),
  };
  const ids: number[] = [];
  for (const [list, english, arabic, [day, hour], more = {}] of tasks) {
    const { parent, isDone, ...fields }: { parent?: number; isDone?: boolean } = more;
    const [title, ...tags] = (isArabic ? arabic : english).split(' #');
    const due = day === undefined ? {} : { due: days(day, hour), isAllDay: hour === undefined };
    const below = parent === undefined ? {} : { parentId: ids[parent] };
    ids.push(await window.api('createTask', lists[list], { title, tags, ...due, ...below, ...fields }));
    if (isDone) await window.api('completeTask', ids.at(-1));
  }
  return lists.Work;
}

/** Tasks that were done before, so that the year is not empty; the same in every run. */
async function fillYear(window: Window, list: number): Promise<void> {
  const rows: { title: string }[] = await window.api('rows', list);
  const entries = Array.from({ length: 360 }, (_, before) => {
    const at = new Date(Date.now() - (before + 1) * dayMs).toISOString().replace(/[-:]|\.\d+/g, '');
    const count = Math.max(0, Math.floor(((Math.abs(Math.sin(before * 78.233)) * 43758.5453) % 1) * 11 - 3));
    return Array.from({ length: count }, (_, index) => {
      const { title } = rows[(before + index) % rows.length]!;
      return todo(`${before}-${index}`, `SUMMARY:${title}`, 'STATUS:COMPLETED', `COMPLETED:${at}`);
    });
  });
  await window.api('importTasks', 'ics', calendar(...entries.flat()), list);
}

/** Pictures of the walkthrough's steps: they are in the package, so they are small. */
async function walkthrough(window: Window, theme: Theme): Promise<void> {
  const step = (clip: Part, name: string) => save(window, clip, `media/walkthrough/${name}-${theme}.png`, 12);
  await window.command('workbench.action.closeSidebar');
  await window.resize(600, 420);
  for (const [name, command, text, row, height] of [
    ['add', 'dueline.quickAdd', 'Pay rent tomorrow 9am #home !high every month', 'Pay rent', 152],
    ['filter', 'dueline.search', 'due:week list:Home', 'Water', 104],
  ] as const) {
    const { x, width } = await boxOf(await typed(window, command, text, row));
    const { y } = await boxOf(window.quickText);
    await step({ x, y: y - 6, width, height }, name); // without its title
    await leaveQuestion(window);
  }
  // Without the line that adds tasks; of the week the three days around today.
  const all = await boxOf(await widget(window, 'today', 380, 320));
  await step({ ...all, y: all.y + 80, height: 184 }, 'today');
  const week = await boxOf(await widget(window, 'week', 760, 260));
  const first = Math.min(4, Math.max(0, ((new Date(today).getUTCDay() + 6) % 7) - 1));
  const middle = { x: Math.round(week.x + (first * week.width) / 7), width: Math.round((3 * week.width) / 7) };
  await step({ ...week, ...middle, y: week.y + 38, height: 150 }, 'week');
}
