import assert from 'node:assert/strict';
import { agentPrompt } from '../../src/commands/agents/prompt';
import { engines } from '../engine/support/engine';

describe('the message that hands a task to an agent', () => {
  const started = engines();

  it('quotes the task and its notes, and lists its code locations and subtasks', async () => {
    const engine = await started.open();
    const list = engine.defaultListId();
    const id = await engine.createTask(list, {
      title: 'Fix the race',
      description: 'First line\n# Second\u202e\u{e0041}\ufe0f\ufe01',
    });
    await engine.createTask(list, { title: 'Write a test', parentId: id, status: 2 });
    await engine.createTask(list, { title: 'Say\u0007 it', parentId: id });
    const task = engine.task(id)!;
    const prompt = agentPrompt(engine, task, ['session.ts:118']);
    assert.ok(prompt.startsWith(`Work on this task (${engine.shortIdOf(task)} in Dueline).`));
    assert.ok(
      prompt.endsWith(
        [
          '> Fix the race',
          'Notes:\n> First line\n> # Second',
          'Places in the code:\n- session.ts:118',
          'It is done when all of these are:\n> - [x] Write a test\n> - [ ] Say it',
        ].join('\n\n'),
      ),
      prompt,
    );
  });

  it('includes a private task that was chosen, and none of the private ones below it', async () => {
    const engine = await started.open();
    const list = engine.defaultListId();
    const id = await engine.createTask(list, { title: 'Chosen', classification: 1 });
    await engine.createTask(list, { title: 'Secret', parentId: id, classification: 2 });
    await engine.createTask(list, { title: 'Step', parentId: id });
    const prompt = agentPrompt(engine, engine.task(id)!, []);
    assert.match(prompt, /> Chosen\n/);
    assert.match(prompt, /> - \[ \] Step$/);
    assert.doesNotMatch(prompt, /Secret/);
  });

  it('does not mention what a task does not have', async () => {
    const engine = await started.open();
    const id = await engine.createTask(engine.defaultListId(), { title: 'Alone' });
    assert.match(agentPrompt(engine, engine.task(id)!, []), /beyond that\.\n\n> Alone$/);
  });
});
