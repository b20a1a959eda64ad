import assert from 'node:assert/strict';
import { planOf } from '../../../src/core/text/planSteps';

describe('the steps of a plan', () => {
  const titles = (text: string) => planOf(text).steps.map(({ title }) => title);

  it('are the lines with boxes, with their ticks and their nesting', () => {
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
        { title: 'Publish', shortId: 'dl-k3f9', words: 'Publish (dl-k3f9)' },
      ],
    });
  });

  it('are all list items if there are no boxes; numbered ones follow one another', () => {
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

  it('are read in the form that terminals show', () => {
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

  it('have the short ID of a task only at the start or end of their line', () => {
    const steps = planOf('- dl-k3f9: Ask\n- Check that dl-k3f9 still works\n- Fix dl-horizontal').steps;
    assert.deepEqual(steps, [
      { title: 'Ask', shortId: 'dl-k3f9', words: 'dl-k3f9: Ask' },
      { title: 'Check that dl-k3f9 still works' },
      { title: 'Fix', shortId: 'dl-horizontal', words: 'Fix dl-horizontal' },
    ]);
  });

  it('are not taken from footnotes, nor from single lines with a box', () => {
    assert.deepEqual(titles('- One\n- Two\n\n[1] https://a.b\n[2]: https://c.d'), ['One', 'Two']);
    assert.deepEqual(titles('- [ ] One\n- [ ] Two\n\n✅ All tests pass.'), ['One', 'Two']);
  });

  it('are read from a code block that is the whole plan, from a cut block and from quotes', () => {
    assert.deepEqual(titles('Here it is:\n```markdown\n- [ ] One\n- [x] Two\n```'), ['One', 'Two']);
    assert.deepEqual(titles('- [ ] One\n```\n- [ ] Two'), ['One', 'Two']);
    assert.deepEqual(planOf('> - [ ] One\n>   - [ ] Two').steps, [{ title: 'One' }, { title: 'Two', parent: 0 }]);
  });

  it('keep their level below an empty item, and may contain any line separator', () => {
    assert.deepEqual(planOf('- [ ] One\n- [ ]\n  - [ ] Two').steps, [{ title: 'One' }, { title: 'Two' }]);
    assert.deepEqual(titles('- One\u2028more\n- Two'), ['One more', 'Two']);
  });
});
