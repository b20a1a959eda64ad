import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Columns,
  type Group,
  groupColumns,
  groups,
  isSameIn,
  rowWith,
  sameContent,
} from '../../../src/core/ical/contentGroups';
import { emptyFields, type ResourceRow } from '../../../src/core/ical/row';
import type { ResourceRows } from '../../../src/core/ical/writeResource';
import { mergeTask } from '../../../src/sync/merge/threeWayMerge';

const text = fc.constantFrom(null, '', 'a', 'b\nc', 'b\nc\nd', 'x\nc');
const day = fc.integer({ min: 1, max: 9 }).map(date => Date.UTC(2025, 0, date));
const tags = fc.subarray(['a', 'b', 'c', 'd']);
const exdate = fc
  .subarray(['20250101', '20250102', '20250103'])
  .map(days => (days.length > 0 ? `EXDATE;VALUE=DATE:${days.join(',')}` : null));
const alarm = fc.record({ minutesBefore: fc.nat(3), reference: fc.constant('DUE' as const), message: text });

const columns = fc.record({
  title: text,
  description: text,
  tags,
  status: fc.constantFrom(0, 1, 2, 3),
  percentComplete: fc.constantFrom(null, 50),
  priority: fc.nat(2),
  due: day,
  rrule: fc.constantFrom(null, 'FREQ=DAILY'),
  exdate,
  alarms: fc.uniqueArray(alarm, { maxLength: 2, selector: ({ minutesBefore }) => minutesBefore }),
  parentUid: fc.constantFrom(null, 'p', 'q'),
}) as fc.Arbitrary<Columns>;

const master: ResourceRow = { fields: { ...emptyFields('u'), isAllDay: true } };
const rows: fc.Arbitrary<ResourceRows> = fc
  .tuple(columns, fc.uniqueArray(fc.tuple(day, columns), { maxLength: 3, selector: ([id]) => id }))
  .map(([values, others]) => ({
    master: rowWith(master, values),
    overrides: others.map(([recurrenceId, more]) =>
      rowWith(master, { ...more, rrule: null, exdate: null, recurrenceId }),
    ),
  }));

const excludes = ({ fields }: ResourceRow, id: number) =>
  (fields.exdate ?? '').includes(new Date(id).toISOString().slice(0, 10).replaceAll('-', ''));

/** A state as an engine leaves it: an occurrence is either excluded or has an override. */
const state = rows.map(({ master: row, overrides }) => ({
  master: row!,
  overrides: overrides.filter(({ fields }) => !excludes(row!, fields.recurrenceId!)),
}));

describe('any merge', () => {
  it('takes everything from the only side that changed something', () => {
    fc.assert(
      fc.property(state, state, (base, edited) => {
        const here = mergeTask(base, edited, base);
        assert.ok(sameContent(here.rows, edited));
        const there = mergeTask(base, base, edited);
        assert.ok(sameContent(there.rows, edited));
        assert.ok(there.isServers);
        assert.deepEqual({ here: here.lost, there: there.lost }, { here: [], there: [] });
      }),
    );
  });

  it('reports nothing if both sides did the same', () => {
    fc.assert(
      fc.property(fc.option(state, { nil: undefined }), state, (base, edited) => {
        const { rows: merged, lost, isServers } = mergeTask(base, edited, edited);
        assert.ok(sameContent(merged, edited));
        assert.deepEqual({ lost, isServers }, { lost: [], isServers: true });
      }),
    );
  });

  it('keeps or reports each group that was edited here', () => {
    fc.assert(
      fc.property(state, state, state, (base, local, server) => {
        const { rows: merged, lost } = mergeTask(base, local, server);
        const reported = (group: Group) =>
          lost.some(({ recurrenceId, field }) => recurrenceId === null && field === group);
        for (const group of groups) {
          if (isSameIn(group, base.master, local.master) || group === 'unknown') continue;
          const isSet = ['tags', 'alarms', 'exdate', 'description', 'completion'].includes(group);
          const isKept = isSameIn(group, merged.master!, local.master);
          if (!isKept && !isSet)
            assert.ok(reported(group), `${group} ${JSON.stringify(groupColumns(group, local.master))}`);
        }
        for (const tag of local.master.fields.tags) {
          if (!base.master.fields.tags.includes(tag)) assert.ok(merged.master!.fields.tags.includes(tag));
        }
        for (const override of local.overrides) {
          const id = override.fields.recurrenceId;
          const isThere = merged.overrides.some(({ fields }) => fields.recurrenceId === id);
          const wasThere = base.overrides.some(({ fields }) => fields.recurrenceId === id);
          if (!isThere && !wasThere) assert.ok(lost.some(({ recurrenceId }) => recurrenceId === id));
        }
      }),
    );
  });

  it('is stable: merging the result again changes and loses nothing', () => {
    fc.assert(
      fc.property(state, state, state, (base, local, server) => {
        const { rows: merged } = mergeTask(base, local, server);
        const again = mergeTask(server, merged, server);
        assert.ok(sameContent(again.rows, merged));
        assert.deepEqual(again.lost, []);
      }),
    );
  });

  it('never leaves an occurrence both excluded and changed, unless the server has it so', () => {
    fc.assert(
      fc.property(state, state, state, (base, local, server) => {
        const { rows: merged } = mergeTask(base, local, server);
        for (const { fields } of merged.overrides) assert.ok(!excludes(merged.master!, fields.recurrenceId!));
      }),
    );
  });
});
