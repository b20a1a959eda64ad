import assert from 'node:assert/strict';
import { Classification, type Task } from '../../../src/core/kernel/model';
import { useWords } from '../../../src/shared/l10n';
import { accessibleLabel } from '../../../src/ui/text/taskText';
import { rowView } from '../../../src/views/widgets/rowView';
import { aTask } from '../../core/support/series';

const style = { date: 'short', clock: 'auto' } as never;
const title = '\u2068Doctor\u2069';

describe('the sign of a private task', () => {
  beforeEach(() => useWords(undefined, 'en-US'));

  const seen = (patch: Partial<Task>) => {
    const task = aTask({ title: 'Doctor', ...patch });
    const row = { task, dtstart: null, due: null, isOverdue: false };
    const { isPrivate, accessibleLabel: inWidget } = rowView(row, 'key', { style, lists: new Map() });
    return { isPrivate, inWidget, inTree: accessibleLabel(row, { style }) };
  };

  for (const classification of [Classification.private, Classification.confidential])
    it(`is shown in rows of trees and widgets, and read out: ${classification}`, () => {
      const spoken = `${title}, private, has a reminder`;
      const alarms = [{ id: 1, taskId: 1, minutesBefore: 0, reference: 'DUE', message: null }] as const;
      assert.deepEqual(seen({ classification, alarms }), {
        isPrivate: true,
        inWidget: spoken,
        inTree: spoken,
      });
    });

  for (const classification of [null, Classification.public])
    it(`is not shown on other tasks: ${classification}`, () =>
      assert.deepEqual(seen({ classification }), {
        isPrivate: false,
        inWidget: title,
        inTree: title,
      }));
});
