import assert from 'node:assert/strict';
import { transition } from '../../../src/core/fields/status';
import type { Task, TaskInput } from '../../../src/core/kernel/model';

const now = 1_700_000_000_000;
type State = Pick<Task, 'status' | 'percentComplete' | 'completedAt'>;
const open: State = { status: 0, percentComplete: null, completedAt: null };
const begun: State = { status: 1, percentComplete: 40, completedAt: null };
const done: State = { status: 2, percentComplete: 100, completedAt: 5 };
const cancelled: State = { status: 3, percentComplete: 40, completedAt: null };

describe('transitions', () => {
  const cases: [name: string, from: State, input: TaskInput, to: State][] = [
    [
      'completing fills percent and the time',
      open,
      { status: 2 },
      { status: 2, percentComplete: 100, completedAt: now },
    ],
    ['completing what is begun', begun, { status: 2 }, { status: 2, percentComplete: 100, completedAt: now }],
    ['completing twice keeps the first time', done, { status: 2 }, done],
    ['100 percent completes', begun, { percentComplete: 100 }, { status: 2, percentComplete: 100, completedAt: now }],
    ['reopening clears what completing filled', done, { status: 0 }, open],
    ['reopening keeps a percent that is not 100', cancelled, { status: 0 }, { ...cancelled, status: 0 }],
    [
      'starting a finished one begins it again',
      done,
      { status: 1 },
      { status: 1, percentComplete: null, completedAt: null },
    ],
    ['a percent between is work in process', open, { percentComplete: 1 }, { ...open, status: 1, percentComplete: 1 }],
    [
      'a percent between opens again',
      done,
      { percentComplete: 99 },
      { status: 1, percentComplete: 99, completedAt: null },
    ],
    ['no percent opens what was done', done, { percentComplete: 0 }, { ...open, percentComplete: 0 }],
    ['no percent at all leaves the status', begun, { percentComplete: null }, { ...begun, percentComplete: null }],
    ['cancelling keeps percent', begun, { status: 3 }, cancelled],
    [
      'cancelling a finished one keeps percent, not the time',
      done,
      { status: 3 },
      { status: 3, percentComplete: 100, completedAt: null },
    ],
    [
      'a status given with a percent goes first',
      open,
      { status: 0, percentComplete: 30 },
      { ...open, percentComplete: 30 },
    ],
    ['nothing said, nothing done', begun, {}, begun],
  ];
  for (const [name, from, input, to] of cases)
    it(name, () => assert.deepEqual({ ...from, ...transition(input, from, now) }, to));
});
