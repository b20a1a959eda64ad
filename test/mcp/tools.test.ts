import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { tokensOf, truncate } from '../../src/mcp/tokens';
import { instructions, tools } from '../../src/mcp/tools';

describe('the tools for agents', () => {
  it('cost at most 1500 tokens, do not change anything in a query, and delete nothing', () => {
    const text = JSON.stringify(tools);
    const [bytes, tokens] = [Math.ceil(text.length / 4), tokensOf(text)];
    console.log(`      ${tools.length} tools: ${text.length} bytes, a quarter is ${bytes}; ${tokens} tokens by pieces`);
    assert.equal(tools.length, 7);
    assert.ok(tokens <= 1500 && bytes <= 1500, `${tokens}, ${bytes}`);
    assert.ok(tokensOf(instructions) <= 100);
    for (const { name, inputSchema } of tools) {
      const takesQuery = Object.hasOwn(inputSchema.properties ?? {}, 'query');
      assert.equal(takesQuery, name === 'find_tasks', name);
      assert.doesNotMatch(name, /delete|remove/);
    }
  });

  it('are explained to the agents of the editor by a skill of at most 60 lines', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [{ path }] = contributes.chatSkills;
    const skill = readFileSync(path, 'utf8');
    assert.ok(skill.split('\n').length <= 60);
    // The editor takes none whose name is not that of its folder.
    assert.equal(/^---\nname: (.*)\ndescription: .+\n---\n/.exec(skill)?.[1], basename(dirname(path)));
    const named = [...skill.matchAll(/`([a-z]+(?:_tasks?)?)`/g)].map(match => match[1]!);
    assert.deepEqual(
      tools.map(({ name }) => name).filter(name => !named.includes(name)),
      [],
    );
  });

  it('declare whether they read, and whether a second call does more', () => {
    const hints = Object.fromEntries(
      tools.map(({ name, annotations: hint }) => [
        name,
        [hint.readOnlyHint, hint.destructiveHint, hint.idempotentHint, hint.openWorldHint],
      ]),
    );
    assert.deepEqual(hints, {
      find_tasks: [true, false, true, false],
      get_task: [true, false, true, false],
      add_tasks: [false, false, false, false],
      update_tasks: [false, true, true, false],
      complete_tasks: [false, false, false, false],
      context: [true, false, true, false],
      undo: [false, true, false, false],
    });
  });

  it('have their tokens estimated from above in any script', () => {
    assert.equal(tokensOf(''), 0);
    assert.equal(tokensOf('Pay rent'), 2);
    assert.equal(tokensOf('漢字漢字'), 4);
    assert.equal(tokensOf('{"id":"dl-k3f9"}'), 11);
    assert.equal(truncate('漢字漢字', 3), '漢字漢');
    assert.equal(truncate('a😀b', 2), 'a');
    assert.equal(truncate('short', 60), 'short');
  });
});
