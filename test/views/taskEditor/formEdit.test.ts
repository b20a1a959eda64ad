import assert from 'node:assert/strict';
import { blankTask } from '../../../src/engine/taskRow';
import { editOf } from '../../../src/views/taskEditor/formEdit';

const task = { ...blankTask(1, 'one', 0), id: 7, tags: ['a'] };
const at = (text: string) => Date.parse(`${text}Z`);

describe('several changes of a form', () => {
  it('are each applied on top of the previous ones', () => {
    const edit = editOf(
      [
        { type: 'field', field: 'due', value: '2031-06-03T09:00' },
        { type: 'field', field: 'start', value: '2031-06-01T08:00' },
        { type: 'addTags', tags: ['b'] },
        { type: 'addTags', tags: ['c', 'a'] },
        { type: 'addAlarm', alarm: { minutesBefore: 30, reference: 'DUE', message: null } },
        { type: 'addAlarm', alarm: { minutesBefore: 30, reference: 'DUE', message: null } },
        { type: 'field', field: 'listId', value: '3' },
        { type: 'repeat', rule: ' FREQ=DAILY ', from: 'completion' },
      ],
      task,
      'UTC',
    );
    assert.deepEqual(edit, {
      patch: {
        due: at('2031-06-03T09:00'),
        dtstart: at('2031-06-01T08:00'),
        isAllDay: false,
        timezone: 'UTC',
        tags: ['a', 'b', 'c'],
        alarms: [{ minutesBefore: 30, reference: 'DUE', message: null }],
      },
      isDated: true,
      listId: 3,
      repeat: { rule: 'FREQ=DAILY', from: 'completion' },
    });
  });

  it('remove one tag by its name, whatever other tags there are by now', () => {
    const tagged = { ...task, tags: ['new', 'a', 'b'] };
    assert.deepEqual(editOf([{ type: 'dropTag', tag: 'a' }], tagged, 'UTC').patch, { tags: ['new', 'b'] });
    assert.deepEqual(editOf([{ type: 'dropTag', tag: 'gone' }], tagged, 'UTC').patch, { tags: ['new', 'a', 'b'] });
  });

  it('are recognized as changes of dates', () => {
    const { isDated, patch } = editOf([{ type: 'field', field: 'priority', value: '1' }], task, 'UTC');
    assert.deepEqual({ isDated, patch }, { isDated: false, patch: { priority: 1 } });
  });
});
