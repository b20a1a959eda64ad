import assert from 'node:assert/strict';
import { runQuery } from '../../../src/query/eval/run';
import { aContext, aFilledStore, at, civil, type Filled, wednesday } from '../../core/support/filterStore';

/** The tasks that each example query finds in one small household, on Wednesday 2026-03-18. */
describe('filter: the example queries', () => {
  let filled: Filled;
  const dueOn = (day: string) => ({ due: civil(day), isAllDay: true });

  before(async () => {
    filled = await aFilledStore();
    const cloud = await filled.account('nextcloud');
    const work = await filled.list('Work');
    const home = await filled.list('Home');
    const inbox = await filled.list('Inbox');
    const shared = await filled.list('Family Shared', { accountId: cloud });
    const readonly = await filled.list('Holidays', { accountId: cloud, isReadOnly: true });
    const alarm = { minutesBefore: 60, reference: 'DUE' as const };
    await filled.tasks(
      work,
      { title: 'late', ...dueOn('2026-03-16'), priority: 9, tags: ['work'] },
      { title: 'late someday', ...dueOn('2026-03-17'), tags: ['Someday'] },
      { title: 'today low', ...dueOn('2026-03-18'), priority: 7 },
      { title: 'today high', due: at('2026-03-18T20:00:00Z'), timezone: 'UTC', priority: 1, tags: ['study'] },
      { title: 'tomorrow', ...dueOn('2026-03-19'), tags: ['waiting'] },
      { title: 'in a week', ...dueOn('2026-03-25'), tags: ['blocked'] },
      { title: 'begun', dtstart: civil('2026-03-10'), due: civil('2026-04-10'), isAllDay: true },
      { title: 'daily', ...dueOn('2026-03-29'), rrule: 'FREQ=DAILY' },
    );
    const [project] = await filled.tasks(home, { title: 'Release 1.1', percentComplete: 60, priority: 2 });
    await filled.tasks(
      home,
      { title: 'step', parentId: project! },
      { title: 'done step', parentId: project!, status: 2 },
    );
    await filled.tasks(
      inbox,
      { title: 'second', createdAt: wednesday - 86_400_000 },
      { title: 'first', createdAt: at('2026-01-01T00:00:00Z'), lastModified: at('2026-01-02T00:00:00Z') },
      { title: 'Invoice of May', description: 'see RE-2041' },
      { title: 'was done', status: 2, completedAt: at('2026-03-12T09:00:00Z') },
      { title: 'done long ago', status: 2, completedAt: at('2026-03-01T09:00:00Z') },
      { title: 'christmas', ...dueOn('2026-12-24') },
    );
    await filled.tasks(
      shared,
      { title: 'remind', due: at('2026-03-19T00:30:00Z'), timezone: 'UTC', alarms: [alarm] },
      { title: 'stuck', isDirty: true, lastModified: at('2026-03-17T10:00:00Z') },
    );
    await filled.tasks(readonly, { title: 'fixed', due: at('2026-03-18T20:00:00Z'), timezone: 'UTC', alarms: [alarm] });
  });
  after(() => filled.close());

  const cases: [query: string, titles: string[]][] = [
    ['due:<=today sort:due,priority', ['late', 'late someday', 'today high', 'today low', 'fixed']],
    ['is:overdue -#someday', ['late']],
    ['due:tomorrow..+7d group:due', ['tomorrow', 'remind', 'in a week']],
    ['due:week list:Work,Home', ['late', 'late someday', 'today high', 'today low', 'tomorrow']],
    ['no:due no:start !high', ['Release 1.1']],
    ['start:<=today (due:>today OR no:due)', ['begun']],
    ['is:recurring show:occurrences due:month', ['daily', 'daily', 'daily']],
    ['done:-7d..today group:done sort:-done', ['was done']],
    ['created:<-30d modified:<-30d no:due', ['first']],
    ['has:child is:open progress:>=50', ['Release 1.1']],
    ['parent:"Release 1.1" show:flat', ['step']],
    ['"invoice" notes:/RE-\\d{4}/', ['Invoice of May']],
    ['@"Family Shared" -is:readonly alarm:today', ['remind']],
    ['tag:waiting,blocked due:<next-week', ['tomorrow']],
    ['account:nextcloud sync:error,pending', ['stuck']],
    ['is:conflicted OR (is:dirty modified:<today)', ['stuck']],
    ['is:allday due:2026-12-24..2026-12-31', ['christmas']],
    ['no:tag no:due @Inbox sort:created limit:20', ['first', 'second', 'Invoice of May']],
    ['NOT (#work OR #study) due:<=eow', ['late someday', 'today low', 'fixed', 'tomorrow', 'remind']],
  ];
  for (const [query, titles] of cases) it(query, () => assert.deepEqual(filled.titles(query), titles));

  it('#bug in:workspace group:link, in:branch OR in:file, has:link link:stale: once the code locations are known', async () => {
    const [bug] = await filled.tasks(1, { title: 'bug', tags: ['bug'] });
    const only = new Set([bug!]);
    const context = aContext({ here: () => only, links: value => (value === 'stale' ? new Set() : only) });
    const titles = (query: string) => runQuery(filled.store, query, context).map(({ task }) => task.title);
    assert.deepEqual(titles('#bug in:workspace group:link'), ['bug']);
    assert.deepEqual(titles('in:branch OR in:file'), ['bug']);
    assert.deepEqual(titles('in:repo'), ['bug']);
    assert.deepEqual(titles('has:link'), ['bug']);
    assert.deepEqual(titles('has:link link:stale'), []);
  });

  it('sets of the sidecar: snoozed, in conflict, refused', () => {
    const [stuck] = runQuery(filled.store, 'stuck', aContext());
    const ids = new Set([stuck!.task.id]);
    const context = aContext({ snoozed: ids, active: () => ids, conflicted: ids, syncErrors: ids });
    for (const query of ['is:snoozed', 'is:active', 'is:conflicted', 'sync:error', 'is:snoozed -sync:clean'])
      assert.deepEqual(filled.titles(query, context), ['stuck'], query);
    assert.deepEqual(filled.titles('@"Family Shared" sync:clean', context), ['remind']);
    const claimed = aContext({ claimed: () => new Map([[stuck!.task.id, 'Claude Code']]) });
    for (const query of ['is:claimed', 'claimed:claude*', 'claimed:"claude code"', 'stuck -claimed:codex'])
      assert.deepEqual(filled.titles(query, claimed), ['stuck'], query);
    assert.deepEqual(filled.titles('claimed:codex OR claimed:code=x', claimed), []);
  });

  it('a reminder of an all-day task is at nine if the setting is no time', async () => {
    const alarms = [{ minutesBefore: 0, reference: 'DUE' as const }];
    await filled.tasks(await filled.list('Parcels'), { title: 'parcel', ...dueOn('2026-05-04'), alarms });
    const context = aContext({ settings: { allDayAlarmTime: 'noon' } });
    assert.deepEqual(filled.titles('alarm:2026-05-04T09:00', context), ['parcel']);
  });
});

describe('filter: order and groups', () => {
  let filled: Filled;
  beforeEach(async () => {
    filled = await aFilledStore();
  });
  afterEach(() => filled.close());

  it('puts missing values last in both directions, and keeps the own order of equal ones', async () => {
    const list = await filled.list('L');
    await filled.tasks(
      list,
      { title: 'none', priority: 0, sortOrder: 1 },
      { title: 'high', priority: 1, sortOrder: 2 },
      { title: 'low', priority: 9, sortOrder: 4 },
      { title: 'low too', priority: 9, sortOrder: 3 },
    );
    assert.deepEqual(filled.titles('sort:priority'), ['high', 'low too', 'low', 'none']);
    assert.deepEqual(filled.titles('sort:-priority'), ['low too', 'low', 'high', 'none']);
    assert.deepEqual(filled.titles('sort:manual limit:2'), ['none', 'high']);
    assert.deepEqual(filled.titles('sort:urgency limit:1'), ['high']);
  });

  it('orders titles as people do', async () => {
    const list = await filled.list('L');
    await filled.tasks(list, ...['b 10', 'b 9', 'Älter', 'alt', 'Zoo', 'éclair'].map(title => ({ title })));
    assert.deepEqual(filled.titles('sort:title'), ['alt', 'Älter', 'b 9', 'b 10', 'éclair', 'Zoo']);
  });

  it('compares dates before a priority by day, otherwise by time', async () => {
    const list = await filled.list('L');
    const timed = (time: string) => ({ due: at(`2026-03-18T${time}:00Z`), timezone: 'UTC' });
    await filled.tasks(
      list,
      { title: 'b early', ...timed('09:00'), priority: 5 },
      { title: 'a late', ...timed('21:00'), priority: 5 },
      { title: 'latest', ...timed('22:00'), priority: 1 },
    );
    assert.deepEqual(filled.titles('sort:due,priority,title'), ['latest', 'b early', 'a late']);
    assert.deepEqual(filled.titles('sort:due,title'), ['b early', 'a late', 'latest']);
    assert.deepEqual(filled.titles('sort:-due'), ['latest', 'a late', 'b early']);
  });

  it('can start the day later, and knows the days of every zone', async () => {
    const list = await filled.list('L');
    await filled.tasks(
      list,
      { title: 'night', due: at('2026-03-19T02:00:00Z'), timezone: 'UTC' },
      { title: 'day', due: civil('2026-03-19'), isAllDay: true },
      { title: 'floating', due: civil('2026-03-19T09:00') },
    );
    const late = aContext({ settings: { dayStartHour: 4 } });
    assert.deepEqual(filled.titles('due:today', late), ['night']);
    assert.deepEqual(filled.titles('due:tomorrow', late), ['day', 'floating']);
    const honolulu = aContext({ zone: 'Pacific/Honolulu', now: at('2026-03-18T20:00:00Z') });
    assert.deepEqual(filled.titles('due:today', honolulu), ['night']);
    const kiritimati = aContext({ zone: 'Pacific/Kiritimati', now: at('2026-03-18T12:00:00Z') });
    assert.deepEqual(filled.titles('due:today', kiritimati), ['day', 'floating', 'night']);
  });

  it('omits hidden lists and the trash unless they are named', async () => {
    const hidden = await filled.list('Old', { isVisible: false });
    const list = await filled.list('New');
    await filled.tasks(hidden, { title: 'in hidden' });
    await filled.tasks(list, { title: 'kept' }, { title: 'gone', isDeleted: true });
    assert.deepEqual(filled.titles(''), ['kept']);
    assert.deepEqual(filled.titles('@old'), ['in hidden']);
    assert.deepEqual(filled.titles('list:O*'), []);
    assert.deepEqual(filled.titles('is:deleted'), ['gone']);
    assert.deepEqual(filled.titles('', aContext({ lists: [hidden] })), ['in hidden']);
  });

  it('folds case and accents of any script in text and tags', async () => {
    const list = await filled.list('L');
    await filled.tasks(
      list,
      { title: 'Straße ΟΔΟΣ', tags: ['Größe'] },
      { title: 'مُهِمَّة', tags: ['بيت'] },
      { title: 'İstanbul ﬁle', tags: ['a,b'] },
    );
    assert.deepEqual(filled.titles('strasse'), ['Straße ΟΔΟΣ']);
    assert.deepEqual(filled.titles('οδος #GROSSE'), ['Straße ΟΔΟΣ']);
    assert.deepEqual(filled.titles('مهمة'), ['مُهِمَّة']);
    assert.deepEqual(filled.titles('#بيت'), ['مُهِمَّة']);
    assert.deepEqual(filled.titles('istanbul FILE #"a,b"'), ['İstanbul ﬁle']);
    assert.deepEqual(filled.titles('-strasse -istanbul'), ['مُهِمَّة']);
  });
});
