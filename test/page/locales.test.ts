import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { readWords } from '../../scripts/l10n/faults';
import { widgetKinds } from '../../src/query/agenda/widgets';
import { languages } from '../../src/shared/language';
import { event } from '../core/meetings/fixtures';
import { calendar } from '../core/support/icalFile';
import { walks } from '../support/languages';
import { englishFinder, textsIn } from '../support/spokenTexts';
import { Editor } from '../support/vscode/editor';

/** Everything that a user reads or hears and that is Dueline's: in the pages, and around them. */
async function textsOf(editor: Editor): Promise<string[]> {
  const pages = await Promise.all(editor.webviews.frames.map(async page => textsIn(await page, 'body')));
  const trees = [...editor.views.trees.values()].flatMap(({ title, message, description, rows }) => [
    ...[title, message, description],
    ...rows.flatMap(({ label, description, item }) => [
      ...[label, description, item.accessibilityInformation?.label],
      typeof item.tooltip === 'object' ? item.tooltip.value : item.tooltip,
    ]),
  ]);
  const { current } = editor.questions;
  const rows = editor.questions.picks();
  const questions = [
    ...(current?.words.split('\n') ?? []),
    ...(current?.buttons.map(({ tooltip }) => tooltip) ?? []),
    ...rows.flatMap(({ label, description, detail }) => [label, description, detail]),
  ];
  const notices = editor.notices.open.flatMap(({ message, detail, buttons }) => [message, detail, ...buttons]);
  const status = editor.statusItems.filter(({ isShown }) => isShown).map(({ text }) => text);
  return [...pages.flat(), ...[...trees, ...questions, ...notices, ...status].flatMap(bare)];
}

/** Without signs of direction and icons. */
const bare = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map(line => line.replace(/[\u2066-\u2069\ue000-\uf8ff]|\$\([\w-]+\)/g, '').trim())
    .filter(Boolean);

for (const { locale, editor: spoken = locale, settings, add, direction, releaseNotes } of walks) {
  const name = spoken === locale ? locale : `${locale}, by the setting in an editor that speaks ${spoken}`;
  describe(`the interface in ${name}`, () => {
    const words = readWords(`l10n/bundle.l10n.${locale}.json`);
    const english = englishFinder(locale);
    const word = (text: string) => words[text] ?? text;
    const [typed, title, when] = add;
    let editor: Editor;
    before(async () => {
      const chosen = languages.find(one => one.toLowerCase() === locale);
      const byHand = spoken === locale ? {} : { 'dueline.display.language': chosen };
      editor = await Editor.open({ language: spoken, settings: { ...byHand, ...settings }, timeZone: 'Europe/Berlin' });
    });
    after(() => editor?.close());
    afterEach(async function () {
      await editor.tidy(this.currentTest);
      await editor.command('workbench.action.closeAllEditors');
    });

    const onlyIn = async (part: string) => assert.deepEqual(english(await textsOf(editor)), [], part);
    const directionOf = (frame: Frame) => frame.locator('html').getAttribute('dir');
    const tasks = () => editor.engine.query('is:open').map(({ task }) => task);
    const addTask = async () => {
      const [known] = tasks();
      if (known) return known;
      void editor.command('dueline.quickAdd');
      await editor.questions.asked();
      editor.questions.type(typed);
      await editor.questions.pick(title);
      return editor.changes.until('the task', () => tasks()[0]);
    };

    it('reads quick add in its own words', async () => {
      for (const task of tasks()) await editor.engine.deleteTask(task.id);
      void editor.command('dueline.quickAdd');
      await editor.questions.asked();
      editor.questions.type(typed);
      await editor.questions.row(title);
      await onlyIn('quick add');
      await editor.questions.pick(title);
      const task = await editor.changes.until('the task', () => tasks()[0]);
      assert.equal(task.title, title);
      assert.equal(task.tags.length, 1);
      await editor.tree().expand(word('Inbox'));
      const { description } = await editor.tree().row(title);
      assert.match(bare(description).join(), when);
      await onlyIn('the tree with a task');
    });

    it('opens the task form in it, with its direction', async () => {
      await editor.command('dueline.open', (await addTask()).id);
      const form = await editor.frame('dueline-task #notes');
      assert.equal(await directionOf(form), direction);
      await onlyIn('the task form');
    });

    it('draws every widget in it, with its direction', async () => {
      await addTask();
      for (const kind of widgetKinds) {
        await editor.command('workbench.action.closeAllEditors');
        await editor.command('dueline.openWidget', kind);
        const page = await editor.frame(`body.as-editor[data-boot*='"kind":"${kind}"'] dueline-widget .top`);
        assert.equal(await directionOf(page), direction);
        await onlyIn(`the widget ${kind}`);
      }
    });

    it('keeps the keys of a widget apart from their words', async () => {
      await addTask();
      await editor.command('dueline.openWidget', 'today');
      const page = await editor.frame('body.as-editor dueline-widget .tree');
      await page.locator('.tree').focus();
      await editor.page.keyboard.press('?');
      await page.locator('dialog.help').waitFor();
      const touching = await page.locator('.help dl div').evaluateAll(lines =>
        lines
          .filter(line => {
            const words = line.querySelector('dd')!.getBoundingClientRect();
            const keys = [...line.querySelectorAll('kbd')].map(key => key.getBoundingClientRect());
            return keys.some(({ left, right }) => left < words.right && words.left < right);
          })
          .map(line => line.textContent),
      );
      assert.deepEqual(touching, []);
      await editor.page.keyboard.press('Escape');
    });

    it('shows meetings and estimates in it', async () => {
      const { id } = await addTask();
      const meeting = (uid: string, hour: number) =>
        event(uid, `DTSTART:20260311T${hour}0000`, 'DURATION:PT1H', 'SUMMARY:1', 'LOCATION:2');
      const address = join(editor.storage, 'Team.ics');
      writeFileSync(address, calendar(...[12, 14, 15].flatMap(hour => meeting(`m${hour}`, hour))));
      await editor.engine.meetings.add({ kind: 'file', name: '3', color: null, address });
      editor.settings.update('dueline.day.hours', { wednesday: 8, thursday: 1 });
      const today = { due: Date.UTC(2026, 2, 11), isAllDay: true, timezone: null };
      await editor.engine.updateTask(id, { ...today, estimate: '2h30m' });
      for (const [kind, shown] of [
        ['today', '.meeting.next'],
        ['week', '.column.accent .meeting'],
        ['month', '.column.accent .meeting'],
      ] as const) {
        await editor.command('workbench.action.closeAllEditors');
        await editor.command('dueline.openWidget', kind);
        await editor.frame(`body.as-editor[data-boot*='"kind":"${kind}"'] ${shown}`);
        await onlyIn(`meetings in ${kind}`);
      }
      void editor.command('dueline.meetings.choose');
      await editor.questions.asked();
      await onlyIn('the calendars');
      editor.questions.escape();
      for (const one of editor.engine.meetings.calendars) await editor.engine.meetings.remove(one.id);
    });

    it('announces in it what was done', async () => {
      void editor.command('dueline.backup.create');
      await editor.notices.notification(/Dueline|\.db|./);
      await onlyIn('a notification');
    });

    it('explains in it why a query cannot be read', async () => {
      void editor.command('dueline.filter.apply');
      await editor.questions.asked();
      editor.questions.type('titel:x');
      await editor.questions.row('titel');
      await onlyIn('the message on a query');
    });

    it('shows what is new in it', async () => {
      await editor.command('dueline.whatsNew');
      const page = await editor.frame('h1', 'Dueline 1.1.0');
      assert.equal(await directionOf(page), direction);
      assert.equal(await page.locator('h1').textContent(), releaseNotes);
      assert.equal(await page.locator('li').count(), 6);
    });
  });
}

describe('the language setting', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());

  it('changes open pages at once, words and direction', async () => {
    const arabic = readWords('l10n/bundle.l10n.ar.json');
    await editor.command('dueline.openWidget', 'week');
    await editor.frame('body.as-editor dueline-widget', 'This week');
    await editor.views.show('dueline.today');
    for (const [language, words, direction] of [
      ['ar', arabic['This week']!, 'rtl'],
      ['auto', 'This week', 'ltr'],
    ] as const) {
      editor.settings.update('dueline.display.language', language);
      const page = await editor.frame('body.as-editor dueline-widget', words);
      await page.locator(`html[dir=${direction}]`).waitFor({ state: 'attached' });
      await editor.frame('.empty', language === 'ar' ? arabic['Nothing due today.']! : 'Nothing due today.');
    }
  });
});
