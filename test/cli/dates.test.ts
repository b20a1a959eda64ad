import assert from 'node:assert/strict';
import { aTerminal } from './support/terminal';

describe('the command line and dates of a task', () => {
  const terminal = aTerminal();

  /** A store used in a time zone, with a task in it. */
  async function aTask(text: string, timeZone = 'Europe/Berlin') {
    const store = terminal.folder();
    const run = (...args: readonly string[]) => terminal.run(['--store', store, ...args], { timeZone });
    const id = /dl-\w+/.exec((await run('add', text)).out)![0];
    return {
      edit: (...args: readonly string[]) => run('edit', id, ...args),
      /** The dates in the form of iCalendar. */
      dates: async () => {
        const [, ...todos] = (await run('export', '-f', 'ics')).out.split('BEGIN:VTODO');
        return todos
          .join('')
          .match(/^(DTSTART|DUE)[^\r\n]*/gm)!
          .sort();
      },
      import: (file: string) => terminal.run(['--store', store, 'import', '-', '-f', 'ics'], { input: file }),
      run,
    };
  }

  it('refuses a date of another kind than the one that stays, and suggests what to do', async () => {
    const day = await aTask('Day 2030-05-06');
    const time = await aTask('Time 2030-05-06 9am');
    for (const [task, pattern, ...args] of [
      [day, /The due date is a day without a time\. Give --due too, with a time\./, '--start', '2030-05-05 9am'],
      [time, /The due date has a time\. Give --due too, as a day\./, '--start', '2030-05-05'],
    ] as const) {
      const before = await task.dates();
      const { code, out, err } = await task.edit(...args);
      assert.deepEqual({ code, out }, { code: 1, out: '' });
      assert.match(err, pattern);
      assert.deepEqual(await task.dates(), before);
    }
    assert.equal((await day.edit('--start', '2030-05-05 9am', '--due', '2030-05-06 10am')).code, 0);
    assert.deepEqual(await day.dates(), ['DTSTART:20300505T070000Z', 'DUE:20300506T080000Z']);
    assert.match(
      (await day.edit('--due', '2030-05-07')).err,
      /The start date has a time\. Give --start too, as a day\./,
    );
    assert.equal((await day.edit('--due', '2030-05-07', '--start', 'none')).code, 0);
    assert.deepEqual(await day.dates(), ['DUE;VALUE=DATE:20300507']);
    assert.match((await day.edit('--start', '2030-05-08')).err, /The start would be after the due date/);
    assert.equal((await time.edit('--start', '2030-05-06 8am')).code, 0);
    assert.deepEqual(await time.dates(), ['DTSTART:20300506T060000Z', 'DUE:20300506T070000Z']);
    assert.equal((await time.edit('--start', 'none', '--due', '2030-05-08')).code, 0);
    assert.deepEqual(await time.dates(), ['DUE;VALUE=DATE:20300508']);
  });

  it('keeps the time zone of a series, and gives one to a new series', async () => {
    const series = await aTask('Call 2030-05-06 9am every week');
    // Shown on this computer's clock; JSON has it as it is stored.
    assert.match((await series.run('show', '1')).out, /^Due +May 6, 2030 9:00\sAM$/m);
    assert.equal(JSON.parse((await series.run('show', '1', '--json')).out).tasks[0].due, '2030-05-06T07:00:00Z');
    assert.equal((await series.edit('--due', '2030-05-10 10am')).code, 0);
    // A series without a start begins at its due date (RFC 5545 3.8.5.3).
    assert.deepEqual(await series.dates(), [
      'DTSTART;TZID=Europe/Berlin:20300510T100000',
      'DUE;TZID=Europe/Berlin:20300510T100000',
    ]);
    assert.equal((await series.run('edit', '1', '--start', '2030-05-10 9am')).code, 0);
    assert.deepEqual(await series.dates(), [
      'DTSTART;TZID=Europe/Berlin:20300510T090000',
      'DUE;TZID=Europe/Berlin:20300510T100000',
    ]);
    // A repeat is no date.
    const refused = await series.edit('--due', 'every monday');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /“every monday” is not a date for --due/);
    const day = await aTask('Water 2030-05-06 every week');
    assert.equal((await day.edit('--due', '2030-05-07 9am')).code, 0);
    assert.equal((await day.dates())[1], 'DUE;TZID=Europe/Berlin:20300507T090000');
  });

  it('gives the shown occurrence of a series the date that is set', async () => {
    const { edit, run, dates } = await aTask('Water 2030-05-06 every week');
    assert.equal((await edit('--start', '2030-05-05')).code, 0);
    for (let count = 0; count < 3; count++) await run('done', '1');
    assert.equal((await edit('--due', '2030-05-29', '--title', 'Boil')).code, 0);
    const shown = async () => {
      const [{ title, start, due }] = JSON.parse((await run('list', '--json')).out).tasks;
      return [title, start, due];
    };
    assert.deepEqual(await shown(), ['Boil', '2030-05-26', '2030-05-29']);
    assert.equal((await edit('--start', '2030-05-28')).code, 0);
    assert.deepEqual(await shown(), ['Boil', '2030-05-28', '2030-05-29']);
    assert.equal((await dates()).filter(line => line === 'DUE;VALUE=DATE:20300506').length, 1, 'done ones stay');
  });

  it('keeps a floating time floating', async () => {
    const { import: imported, run, dates } = await aTask('Other #other');
    await imported(
      'BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:f\nSUMMARY:Floating\nDUE:20300506T090000\nEND:VTODO\nEND:VCALENDAR\n',
    );
    assert.equal((await run('edit', '2', '--start', '2030-05-06 8am')).code, 0);
    assert.deepEqual(await dates(), ['DTSTART:20300506T080000', 'DUE:20300506T090000']);
  });
});
