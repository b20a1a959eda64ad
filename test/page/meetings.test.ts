import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { linesOf } from '../../src/core/fields/lines';
import { event } from '../core/meetings/fixtures';
import { calendar } from '../core/support/icalFile';
import { startRadicale } from '../interop/support/servers';
import { Editor } from '../support/vscode/editor';
import { becomes, clear, fill, openWidget, passesAxe, shows, taskNamed } from './support/widgets';

/** The meetings of a calendar file, beside tasks: on Wednesday, 11 March 2026, at 9:30. */
describe('meetings', () => {
  let editor: Editor;
  let folder: string;
  before(async () => {
    editor = await Editor.open({ size: { width: 1400, height: 900 }, settings: { 'dueline.display.locale': 'de-DE' } });
    folder = mkdtempSync(join(tmpdir(), 'dueline-meetings-'));
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await editor.resize(1400, 900);
    editor.settings.update('dueline.display.locale', 'de-DE');
    await clear(editor);
    await fill(editor, ['Work'], [{ list: 'Work', title: 'Write', day: 0 }]);
    for (const { id } of editor.engine.meetings.calendars) await editor.engine.meetings.remove(id);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const text = calendar(
    ...event('fair', 'SUMMARY:Fair', 'DTSTART;VALUE=DATE:20260310', 'DTEND;VALUE=DATE:20260313'),
    ...event(
      'review@example.org',
      ...['SUMMARY:Review <b>', 'DTSTART:20260311T100000Z', 'DTEND:20260311T110000Z', 'LOCATION:Room 5'],
      ...['CONFERENCE;VALUE=URI:https://meet.example.org/1', 'DESCRIPTION:Bring figures'],
    ),
    ...event('lunch', 'SUMMARY:Lunch', 'DTSTART:20260311T130000', 'DURATION:PT1H', 'TRANSP:OPAQUE'),
    ...event('maybe', 'SUMMARY:Maybe', 'DTSTART:20260312T130000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT'),
  );

  async function addCalendar(name = 'Team', content = text): Promise<void> {
    const path = join(folder, `${name}.ics`);
    writeFileSync(path, content);
    await editor.engine.meetings.add({ kind: 'file', name, color: '#cc3300', address: path });
  }

  const blocks = (page: Frame, day: string) => page.locator(`[data-group="${day}"] .meeting`);
  const words = async (page: Frame, day: string) =>
    (await blocks(page, day).allTextContents()).map(found => found.replace(/\s+/g, ' ').trim());

  it('are blocks in the order of the day in Week, with the details in a tooltip', async () => {
    await addCalendar();
    const page = await openWidget(editor, 'week', 'Write');
    await blocks(page, '2026-03-11').first().waitFor();
    await shows(page, 'their times', async () => (await words(page, '2026-03-11')).join().includes('11:00'));
    const hours = ['10:00–11:00 Uhr Review <b>', '13:00–14:00 Uhr Lunch'];
    assert.deepEqual(await words(page, '2026-03-11'), ['Fair', ...hours]);
    assert.deepEqual(await words(page, '2026-03-13'), []);
    const hover = await blocks(page, '2026-03-11').nth(1).getAttribute('title');
    assert.deepEqual(hover!.replace(/[\u2009\u202f]/g, ' ').split('\n'), [
      'Review <b>',
      '10:00–11:00 Uhr',
      'Room 5',
      'https://meet.example.org/1',
      'Team',
      '',
      'Bring figures',
    ]);
    assert.equal(await page.locator('.meeting b').count(), 0);
    assert.equal(await page.locator('.meeting.free').count(), 1);
  });

  const wednesday = '2026-03-11';
  /** The titles of meetings and tasks of a day from top to bottom, and where each begins and ends. */
  const fromTop = async (page: Frame) => {
    const parts = page.locator(`[data-group="${wednesday}"] :is(.meeting, .card .title)`);
    const found = await parts.evaluateAll(all =>
      all.map(one => {
        const { top, bottom } = (one.closest('.card') ?? one).getBoundingClientRect();
        return { text: one.textContent!.match(/Fair|Review|Lunch|Write|\w+ task/)![0], top, bottom };
      }),
    );
    return found.sort((one, other) => one.top - other.top);
  };
  /** Waits until nothing covers another part: a card is measured once it is drawn. */
  const orderOf = async (page: Frame) => {
    await shows(page, 'no part over another', async () => {
      const parts = await fromTop(page);
      return parts.every(({ bottom }, at) => bottom <= (parts[at + 1]?.top ?? bottom));
    });
    return fromTop(page);
  };
  const timedTasks = () =>
    fill(
      editor,
      [],
      [
        { list: 'Work', title: 'Noon task', day: 0, time: 720 },
        { list: 'Work', title: 'Early task', day: 0, time: 600 },
        { list: 'Work', title: 'Night task', day: 0, time: 1290 },
      ],
    );

  it('are among the tasks with a time in Week, as high as they are long, with the free time between', async () => {
    await addCalendar();
    await timedTasks();
    const page = await openWidget(editor, 'week', 'Noon task');
    const order = ['Fair', 'Write', 'Early task', 'Review', 'Noon task', 'Lunch', 'Night task'];
    await shows(page, 'all', async () => (await fromTop(page)).length === order.length);
    const parts = await orderOf(page);
    assert.deepEqual(
      parts.map(({ text }) => text),
      order,
    );
    const gaps = parts.slice(1).map(({ top }, at) => Math.round(top - parts[at]!.bottom));
    // Early is due as Review begins, an hour passes until Noon and until Lunch, and more than two until Night.
    assert.deepEqual(gaps, [2, 4, 4, 40, 42, 78]);
    assert.deepEqual(
      ['Fair', 'Review'].map(title => parts.find(({ text }) => text === title)!).map(({ top, bottom }) => bottom - top),
      [18, 36],
    );
    // A low page has no room for gaps.
    await editor.resize(1400, 290);
    await shows(page, 'lines', async () => {
      const review = (await fromTop(page)).find(({ text }) => text === 'Review');
      return review !== undefined && review.bottom - review.top === 18;
    });
    assert.deepEqual(
      (await orderOf(page)).map(({ text }) => text),
      order,
    );
  });

  it('in Week show when they end only in a column that has room for it', async () => {
    await addCalendar();
    editor.settings.update('dueline.display.locale', 'en-US');
    const page = await openWidget(editor, 'week', 'Write');
    const isCut = () =>
      blocks(page, '2026-03-11').evaluateAll(all =>
        all.some(block => [block, ...block.querySelectorAll('.at')].some(one => one.scrollWidth > one.clientWidth)),
      );
    for (const [width, time] of [
      [1400, '10:00 – 11:00 AM'],
      [860, '10:00 AM'],
    ] as const) {
      await editor.resize(width, 900);
      const shown = async () => (await words(page, '2026-03-11'))[1]?.replace(/[\u2009\u202f]/g, ' ');
      await shows(page, time, async () => (await shown()) === `${time} Review <b>`);
      assert.equal(await isCut(), false, time);
    }
  });

  it('are above the tasks where a column is narrow, and where a filter orders the tasks', async () => {
    await addCalendar();
    await timedTasks();
    const page = await openWidget(editor, 'week', 'Noon task');
    await page.locator('.by-hour .meeting').first().waitFor();
    await editor.resize(740, 900);
    await page.locator('.by-hour').first().waitFor({ state: 'detached' });
    assert.deepEqual(await words(page, wednesday), ['Fair', '10:00 Review <b>', '13:00 Lunch']);
    await editor.resize(1400, 900);
    await page.locator('.by-hour .meeting').first().waitFor();
    editor.settings.update('dueline.widgets', { week: { sort: 'title' } });
    const sorted = await openWidget(editor, 'week', 'Noon task');
    await blocks(sorted, wednesday).first().waitFor();
    const parts = await orderOf(sorted);
    assert.deepEqual(
      parts.map(({ text }) => text),
      ['Fair', 'Review', 'Lunch', 'Write', 'Early task', 'Night task', 'Noon task'],
    );
    editor.settings.update('dueline.widgets', undefined);
  });

  it('are before the tasks of their day for the Tab key, and leave the arrow keys and drops to the tasks', async () => {
    await addCalendar();
    await timedTasks();
    const page = await openWidget(editor, 'week', 'Noon task');
    await blocks(page, wednesday).first().waitFor();
    const { keyboard } = editor.page;
    await page.locator(`[data-group="${wednesday}"] .card`, { hasText: 'Early' }).click();
    await keyboard.press('ArrowDown');
    await page.locator('.card.active', { hasText: 'Noon' }).waitFor();
    for (const title of ['Lunch', 'Review', 'Fair']) {
      await keyboard.press('Shift+Tab');
      await page.locator('.meeting:focus', { hasText: title }).waitFor();
    }
    const night = page.locator('.card', { hasText: 'Night task' });
    await night.dragTo(page.locator('[data-group="2026-03-12"] .meeting', { hasText: 'Maybe' }), {
      targetPosition: { x: 5, y: 5 },
    });
    await becomes(editor, 'Night task', { due: Date.UTC(2026, 2, 12, 21, 30) });
  });

  it('state their end on the last of several days, and no time on the days between', async () => {
    await addCalendar(
      'Nights',
      calendar(
        ...event('night', 'SUMMARY:Night', 'DTSTART:20260310T220000Z', 'DTEND:20260311T020000Z'),
        ...event('long', 'SUMMARY:Long', 'DTSTART:20260310T120000Z', 'DTEND:20260312T090000Z'),
        ...event('midnight', 'SUMMARY:Midnight', 'DTSTART:20260310T210000Z', 'DTEND:20260311T000000Z'),
      ),
    );
    const page = await openWidget(editor, 'week', 'Write');
    await blocks(page, '2026-03-11').first().waitFor();
    assert.deepEqual(await words(page, '2026-03-10'), ['12:00 Long', '21:00 Midnight', '22:00 Night']);
    assert.deepEqual(await words(page, '2026-03-11'), ['Long', 'until 2:00 Night']);
    assert.deepEqual(await words(page, '2026-03-12'), ['until 9:00 Long']);
  });

  it('are counted if a day has more than are shown', async () => {
    const many = Array.from({ length: 35 }, (_, at) =>
      event(
        `m${at}`,
        `SUMMARY:M${at}`,
        `DTSTART:20260311T${String(8 + (at % 10)).padStart(2, '0')}0000Z`,
        'DURATION:PT5M',
      ),
    );
    await addCalendar('Many', calendar(...many.flat()));
    const month = await openWidget(editor, 'month', 'Write');
    await month.locator('button.meeting').first().waitFor();
    assert.match((await words(month, '2026-03-11'))[0]!, /\+34$/);
    const week = await openWidget(editor, 'week', 'Write');
    await blocks(week, '2026-03-11').first().waitFor();
    const shown = await words(week, '2026-03-11');
    assert.deepEqual([shown.length, shown.at(-1)], [31, '5 more']);
  });

  it('show the beginning of a long title in Month, also right to left', async () => {
    const title = `SUMMARY:${'Quarterly planning '.repeat(5)}`;
    await addCalendar('Long', calendar(...event('long', title, 'DTSTART:20260311T130000Z', 'DURATION:PT1H')));
    const page = await openWidget(editor, 'month', 'Write');
    await blocks(page, '2026-03-11').first().waitFor();
    for (const direction of ['ltr', 'rtl'])
      assert.ok(
        await page.evaluate(`(() => {
          document.documentElement.dir = '${direction}';
          const meeting = document.querySelector('[data-group="2026-03-11"] .meeting');
          const text = document.createTreeWalker(meeting.querySelector('.what'), NodeFilter.SHOW_TEXT).nextNode();
          const range = document.createRange();
          range.setStart(text, 0);
          range.setEnd(text, 1);
          const [letter, room] = [range, meeting].map(one => one.getBoundingClientRect());
          return letter.left >= room.left && letter.right <= room.right;
        })()`),
        direction,
      );
  });

  it('are next to the names of the days if these are below each other', async () => {
    await editor.resize(500, 900);
    await addCalendar();
    const page = await openWidget(editor, 'week', 'Write');
    await blocks(page, '2026-03-11').first().waitFor();
    assert.deepEqual(await words(page, '2026-03-11'), ['Fair +2']);
    assert.deepEqual(await words(page, '2026-03-13'), []);
    const heading = page.locator('.group[data-group="2026-03-12"]');
    assert.match((await heading.getAttribute('aria-label'))!, /Fair \+1/);
    assert.match((await page.locator('.group[data-group="2026-03-11"]').getAttribute('aria-label'))!, /Fair \+2, 1$/);
    const isOpen = await heading.getAttribute('aria-expanded');
    await blocks(page, '2026-03-12').click();
    await editor.questions.pick('Maybe', 'Select a meeting');
    editor.questions.escape();
    assert.equal(await heading.getAttribute('aria-expanded'), isOpen);
    const month = await openWidget(editor, 'month', 'Write');
    await blocks(month, '2026-03-12').first().waitFor();
  });

  it('have a sign on their button while a calendar cannot be read', async () => {
    await addCalendar();
    const page = await openWidget(editor, 'week', 'Write');
    const button = page.locator('.control.toggleMeetings');
    await button.waitFor();
    assert.equal(await button.locator('.sign').count(), 0);
    rmSync(join(folder, 'Team.ics'));
    await editor.engine.meetings.refresh();
    await button.locator('.sign').waitFor();
    assert.match(
      (await button.getAttribute('title'))!,
      /^Meetings\n.*Team.*: The calendar file .*Team\.ics.* cannot be found\. If it was moved, add it again\.$/,
    );
    assert.match((await button.getAttribute('aria-label'))!, /cannot be found/);
    writeFileSync(join(folder, 'Team.ics'), text);
    await editor.engine.meetings.refresh();
    await button.locator('.sign').waitFor({ state: 'detached' });
  });

  it('are one line per day in Month', async () => {
    await addCalendar();
    const page = await openWidget(editor, 'month', 'Write');
    await page.locator('button.meeting').first().waitFor();
    assert.deepEqual(await words(page, '2026-03-11'), ['Fair +2']);
    assert.deepEqual(await words(page, '2026-03-10'), ['Fair']);
  });

  it('in Month leave the days without any all their room, and no day shows a card in part', async () => {
    await addCalendar();
    const errands = Array.from({ length: 8 }, (_, at) => ({ list: 'Work', title: `Errand ${at}` }));
    for (const day of [0, 6])
      await fill(
        editor,
        ['Work'],
        errands.map(task => ({ ...task, day })),
      );
    const page = await openWidget(editor, 'month', 'Errand');
    await page.locator('dueline-quick-add input').focus();
    const dayOf = (day: string) => page.locator(`[data-group="${day}"]`);
    /** How many cards of a day are whole and in part, and how many are counted as hidden. */
    const cardsOf = async (day: string) => {
      // In one step: a card that is found may be gone in the next one.
      const cards = await dayOf(day).evaluate(column =>
        [...column.querySelectorAll('.card')].map(card => {
          const { top, bottom } = card.getBoundingClientRect();
          const end = card.closest('dueline-rows')!.getBoundingClientRect().bottom;
          return bottom <= end ? 'whole' : top < end ? 'cut' : 'hidden';
        }),
      );
      const rest = Number.parseInt((await dayOf(day).locator('.head .link').textContent())?.replace('+', '') ?? '', 10);
      return { whole: cards.filter(one => one === 'whole').length, cut: cards.includes('cut'), rest };
    };
    for (const [height, busy, plain] of [
      [900, 4, 5],
      [280, 0, 1],
    ] as const) {
      await editor.resize(1100, height);
      for (const [day, whole, count] of [
        ['2026-03-11', busy, 9],
        ['2026-03-17', plain, 8],
      ] as const)
        await shows(page, `${whole} cards of ${day} at ${height}`, async () => {
          const found = await cardsOf(day);
          return found.whole === whole && !found.cut && found.rest === count - whole;
        });
    }
    await dayOf('2026-03-11').locator('.tree').focus();
    await shows(page, 'the card that has the focus', async () => (await cardsOf('2026-03-11')).whole === 1);
    await editor.resize(1100, 350);
    await shows(page, 'no meeting in part', async () => {
      const meeting = await dayOf('2026-03-11').locator('.meeting').boundingBox();
      return (meeting?.height ?? 0) < 1 && (await cardsOf('2026-03-11')).whole === 1;
    });
  });

  it('in Month are counted with the sign on the side on which the language has it', async () => {
    for (const [locale, count] of [
      ['ar-AE', '\u200e+2'],
      ['ar-EG', '\u061c+٢'],
    ] as const) {
      editor.settings.update('dueline.display.locale', locale);
      await addCalendar(locale);
      const page = await openWidget(editor, 'month', 'Write');
      await shows(page, `${count} in ${locale}`, async () => (await words(page, '2026-03-11'))[0] === `Fair ${count}`);
      for (const { id } of editor.engine.meetings.calendars) await editor.engine.meetings.remove(id);
    }
  });

  it('are shown at the top of Today: the next one, and how long the user is free after it', async () => {
    await addCalendar();
    const page = await openWidget(editor, 'today', 'Write');
    const line = page.locator('.meeting.next');
    const shown = async () => (await line.textContent())!.replace(/\s+/g, ' ').trim();
    await line.waitFor();
    assert.equal(await shown(), '10:00–11:00 Uhr Review <b> · frei bis 13:00'.replace('frei bis', 'free until'));
    editor.clock.time += 2 * 3_600_000;
    await editor.engine.meetings.refresh();
    await editor.command('dueline.view.refresh');
    await shows(page, 'the next meeting', async () => (await shown()) === '13:00–14:00 Uhr Lunch · then free');
    editor.clock.time -= 2 * 3_600_000;
  });

  it('open their call, or get a task that is due before or after them', async () => {
    await addCalendar();
    const page = await openWidget(editor, 'week', 'Write');
    await blocks(page, '2026-03-11').nth(1).click();
    await editor.questions.pick('Open', 'Review <b>');
    await editor.changes.until('the call', () => editor.opened.includes('https://meet.example.org/1'));
    await blocks(page, '2026-03-11').nth(1).click();
    await editor.questions.pick('Add a Task for This Meeting', 'Review <b>');
    await editor.questions.pick('Before');
    await editor.questions.answer('Before the meeting', 'Print figures');
    await becomes(editor, 'Print figures', { due: Date.UTC(2026, 2, 11, 10), timezone: 'UTC' });
    const task = taskNamed(editor, 'Print figures')!;
    assert.equal(task.url, 'https://meet.example.org/1');
    assert.deepEqual(linesOf(task), ['LINK;LINKREL=related;VALUE=UID:review@example.org']);
    await editor.command('dueline.undo');
    await editor.changes.until('no task', () => taskNamed(editor, 'Print figures') === undefined);
  });

  it('are offered for selection if a line of Month has several', async () => {
    await addCalendar();
    const page = await openWidget(editor, 'month', 'Write');
    await blocks(page, '2026-03-11').click();
    await editor.questions.pick('Lunch', 'Select a meeting');
    await editor.questions.pick('Add a Task');
    await editor.questions.pick('After');
    await editor.questions.answer('After the meeting', 'Pay lunch');
    await becomes(editor, 'Pay lunch', { due: Date.UTC(2026, 2, 11, 14), timezone: null, url: null });
  });

  it('can be hidden and shown with a button once there is a calendar', async () => {
    const page = await openWidget(editor, 'week', 'Write');
    const button = page.locator('.control.toggleMeetings');
    assert.equal(await button.count(), 0);
    await addCalendar();
    await button.waitFor();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await button.click();
    await shows(page, 'no meetings', async () => (await page.locator('.meeting').count()) === 0);
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    await button.click();
    await page.locator('.meeting').first().waitFor();
  });

  it('are chosen and removed with a command', async () => {
    writeFileSync(join(folder, 'Home.ics'), text);
    editor.notices.chosenFiles.push(editor.api.Uri.file(join(folder, 'Home.ics')));
    const done = editor.command('dueline.meetings.choose');
    await editor.questions.pick('Add a calendar file', 'Choose Calendars');
    await editor.questions.row('Home');
    assert.equal(editor.engine.meetings.calendars.length, 1);
    await editor.questions.pick('Home');
    await editor.notices.press('Remove the calendar', 'Remove');
    await editor.changes.until('no calendar', () => editor.engine.meetings.calendars.length === 0);
    await editor.questions.asked('Choose Calendars');
    editor.questions.escape();
    await done;
  });

  it('come from the address of a feed, whose name is suggested', async () => {
    const feeds = createServer((_, answer) => answer.setHeader('content-type', 'text/calendar').end(text));
    await new Promise<void>(resolve => feeds.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = feeds.address() as AddressInfo;
      const done = editor.command('dueline.meetings.choose');
      await editor.questions.pick('Add a calendar by its address', 'Choose Calendars');
      await editor.questions.answer('The address of an iCalendar feed', `http://127.0.0.1:${port}/calendar.ics`);
      await editor.questions.asked('Name');
      assert.equal(editor.questions.current?.value, `127.0.0.1:${port}`);
      await editor.questions.answer('Name', 'Team feed');
      await editor.questions.row('Team feed');
      editor.questions.escape();
      await done;
      const page = await openWidget(editor, 'week', 'Write');
      await blocks(page, '2026-03-11').filter({ hasText: 'Lunch' }).waitFor();
    } finally {
      feeds.close();
      feeds.closeAllConnections();
    }
  });

  it('of an account are chosen by ticks, and removed without', async () => {
    const server = await startRadicale();
    try {
      const { url: serverUrl, username, password } = server;
      const { engine } = editor;
      const accountId = await engine.addAccount({ serverUrl, username, password, displayName: 'Company' });
      const home = engine.accounts().find(({ id }) => id === accountId)!.homeSetUrl!;
      const rooms = new URL('rooms/', home.endsWith('/') ? home : `${home}/`);
      const login = Buffer.from(`${username}:${password}`).toString('base64');
      const send = async (method: string, url: URL, type: string, body: string) => {
        const headers = { authorization: `Basic ${login}`, 'content-type': `${type}; charset=utf-8` };
        assert.ok((await fetch(url, { method, headers, body })).ok, `${method} ${url}`);
      };
      const set = '<c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>';
      const made = `<d:prop><d:displayname>Rooms</d:displayname>${set}</d:prop>`;
      const names = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';
      await send(
        'MKCALENDAR',
        rooms,
        'application/xml',
        `<c:mkcalendar ${names}><d:set>${made}</d:set></c:mkcalendar>`,
      );
      const fair = calendar(...event('fair', 'SUMMARY:Fair', 'DTSTART;VALUE=DATE:20260311'));
      await send('PUT', new URL('fair.ics', rooms), 'text/calendar', fair);

      const done = editor.command('dueline.meetings.choose');
      await editor.questions.pick('Calendars of', 'Choose Calendars');
      await editor.questions.asked('Choose Calendars');
      await editor.questions.row('Rooms');
      await editor.questions.pickMany('Rooms');
      await editor.changes.until('the calendar', () => engine.meetings.calendars.length === 1);
      const page = await openWidget(editor, 'week', 'Write');
      await blocks(page, '2026-03-11').filter({ hasText: 'Fair' }).waitFor();
      await editor.questions.pick('Calendars of', 'Choose Calendars');
      await editor.questions.row('Rooms');
      await editor.questions.pickMany('Rooms');
      await editor.changes.until('no calendar', () => engine.meetings.calendars.length === 0);
      await editor.questions.row('Add a calendar by its address');
      editor.questions.escape();
      await done;
      await engine.removeAccount(accountId);
    } finally {
      await server.stop();
    }
  });

  it('have no accessibility faults in Week and Month', async () => {
    await addCalendar();
    await passesAxe(editor, 'week', 'Write');
    await passesAxe(editor, 'month', 'Write');
  });
});
