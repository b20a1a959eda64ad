import assert from 'node:assert/strict';
import { planOf } from '../../../src/core/text/planSteps';

describe('the steps of a plan', () => {
  const titles = (text: string) => planOf(text).steps.map(({ title }) => title);

  it('are the lines with boxes, with what is ticked and what is below what', () => {
    const text = [
      '# Release **1.0**',
      'We do this carefully.',
      '- [x] Test',
      '  - on Linux',
      '  - [ ] on `Windows`',
      '\t- [X] **Twice**',
      '- [~] Publish (dl-k3f9)',
      '```',
      '- [ ] not a step',
      '```',
    ].join('\r\n');
    assert.deepEqual(planOf(text), {
      title: 'Release 1.0',
      steps: [
        { title: 'Test', isDone: true },
        { title: 'on `Windows`', parent: 0 },
        { title: 'Twice', isDone: true, parent: 1 },
        { title: 'Publish', shortId: 'dl-k3f9' },
      ],
    });
  });

  it('are all entries of lists without boxes, and numbered ones come one after the other', () => {
    assert.deepEqual(
      planOf('Plan:\n1. Read\n   - the code\n   - the docs\n2. Write\n\n* Ask\n1) Once more\n2) Done').steps,
      [
        { title: 'Read' },
        { title: 'the code', parent: 0 },
        { title: 'the docs', parent: 0 },
        { title: 'Write', after: 0 },
        { title: 'Ask' },
        { title: 'Once more' },
        { title: 'Done', after: 5 },
      ],
    );
    assert.deepEqual(titles('No plan.\n\nJust words - with a dash.'), []);
    assert.equal(planOf('Intro\n\nThe plan\n- a').title, 'The plan');
  });

  it('are read as terminals show them', () => {
    const text = '  ☒ Read the code\n  ☐ Write the test\n✔ Ask';
    assert.deepEqual(
      planOf(text).steps.map(({ title, isDone = false }) => [title, isDone]),
      [
        ['Read the code', true],
        ['Write the test', false],
        ['Ask', true],
      ],
    );
  });
});
