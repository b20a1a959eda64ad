import assert from 'node:assert/strict';
import fs, { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokensOf } from '../../src/mcp/tokens';
import { someAgents, type TestAgent } from './support/agents';

describe('links of agents to code', () => {
  const agents = someAgents();

  it('are made by path and line alone, shown with their current line, and contain no code', async () => {
    const store = agents.folder();
    const root = join(store, 'r');
    mkdirSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, 'src'));
    const code = ['first line of code', 'second line of code', 'const secretKey = readKey();', 'last line of code'];
    const write = (lines: readonly string[]) => writeFileSync(join(root, 'src/key.ts'), lines.join('\n'));
    write(code);
    writeFileSync(join(store, 'outside.ts'), 'outside');
    symlinkSync(join(store, 'outside.ts'), join(root, 'leads-out.ts'));
    const agent = await agents.connect(store, { cwd: join(root, 'src') });
    const [id] = await agent.add('Fix the key');
    const link = (to: string) => agent.call('update_tasks', { updates: [{ id, link: to }] });
    for (const wrong of ['../outside.ts:1', 'leads-out.ts:1', 'src/none.ts:1', join(store, 'outside.ts'), 'src', '.'])
      assert.match((await link(wrong)).text, /^That file is not in this repository\./, wrong);
    for (const wrong of ['src/key.ts:0', 'src/key.ts:5']) assert.match((await link(wrong)).text, /has 4 lines/, wrong);
    const linked = await link('src/key.ts:3');
    assert.match(linked.text, /^Changed 1\.[\s\S]*\| src\/key\.ts:3\n/);
    assert.deepEqual(linked.data.tasks[0]!.places, ['src/key.ts:3']);
    // From the folder that it works in, and twice, it is the same link.
    assert.match((await link('key.ts:3')).text, /^Nothing was changed\./);
    const places = async () => (await agent.done('get_task', { id })).data.places;
    assert.deepEqual(await places(), ['src/key.ts:3']);
    const window = await agents.window(store);
    const lines = () => window.task(window.findByShortId(id!))!.unknownProperties ?? '';
    assert.doesNotMatch(lines(), /key|secret/i);
    write(['// a comment that is new', ...code]);
    assert.deepEqual(await places(), ['src/key.ts:4']);
    write(['nothing of it']);
    assert.deepEqual(await places(), ['src/key.ts:3 (stale)']);
    await link('');
    await window.refresh();
    assert.equal(lines(), '');
    const elsewhere = await agents.connect(store, { cwd: store });
    const refused = await elsewhere.call('update_tasks', { updates: [{ id, link: 'src/key.ts' }] });
    assert.match(refused.text, /needs a repository/);
  });

  it('are found without reading all folders for each call, and in files that are new', async () => {
    const store = agents.folder();
    const root = join(store, 'r');
    mkdirSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, 'src'));
    const agent = await agents.connect(store, { cwd: root });
    const link = async (title: string, path: string) => {
      writeFileSync(join(root, path), 'a line of code');
      const [id] = await agent.add(title);
      await agent.done('update_tasks', { updates: [{ id, link: path }] });
    };
    await link('Old', 'src/old.ts');
    const inFolder = async () => {
      const { data } = await agent.done('find_tasks', { query: 'in:folder' });
      return data.tasks.map(({ title }) => title).sort();
    };
    const here = async () => (await agent.done('context')).data.here.map(({ places }) => places);
    assert.deepEqual(await inFolder(), ['Old']);
    const { readdirSync } = fs;
    let reads = 0;
    fs.readdirSync = ((...args: Parameters<typeof readdirSync>) => {
      reads += String(args[0]).startsWith(root) ? 1 : 0;
      return readdirSync(...args);
    }) as typeof readdirSync;
    try {
      assert.deepEqual(await here(), [['src/old.ts']]);
      assert.deepEqual(await inFolder(), ['Old']);
      assert.equal(reads, 0);
    } finally {
      fs.readdirSync = readdirSync;
    }
    await link('New', 'src/new.ts');
    assert.deepEqual(await inFolder(), ['New', 'Old']);
    assert.deepEqual((await here()).flat().sort(), ['src/new.ts', 'src/old.ts']);
    fs.rmSync(join(root, 'src/old.ts'));
    assert.deepEqual(await inFolder(), ['New']);
  });
});

describe('plans of agents', () => {
  const agents = someAgents();
  const programs = someAgents({ inProcesses: true });

  /** A working tree with a branch checked out. */
  function aTree(folder: string, name: string, branch: string) {
    const root = join(folder, name);
    mkdirSync(join(root, '.git', 'refs'), { recursive: true });
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
    writeFileSync(join(root, '.git', 'config'), '[remote "origin"]\n  url = https://github.com/o/r.git\n');
    return {
      root,
      src: join(root, 'src'),
      checkOut: (to: string) => writeFileSync(join(root, '.git', 'HEAD'), `ref: refs/heads/${to}\n`),
    };
  }

  const steps = Array.from({ length: 6 }, (_, at) => `  - [ ] Step ${at + 1}`).join('\n');
  const planOf = async (agent: TestAgent) =>
    ((await agent.done('context')).data.plan ?? []) as readonly { id: string; title: string; claimedBy?: string }[];

  it('survive the process of the agent: another one continues from the context alone', async () => {
    const store = programs.folder();
    const { root, src } = aTree(store, 'r', 'fix-race');
    const first = await programs.connect(store, { name: 'First', cwd: root });
    await first.done('add_tasks', { tasks: [{ text: `Fix the race\n${steps}` }] });
    const [, ...own] = await planOf(first);
    for (const { id } of own.slice(0, 2)) await first.done('complete_tasks', { ids: [id] });
    await first.done('update_tasks', { updates: [{ id: own[2]!.id, claim: true, status: 'started' }] });

    const second = await programs.connect(store, { name: 'Second', cwd: src });
    const seen = await planOf(second);
    assert.deepEqual(
      seen.slice(0, 3).map(({ title, claimedBy }) => [title, claimedBy]),
      [
        ['Fix the race', undefined],
        ['Step 3', 'First'],
        ['Step 4', undefined],
      ],
    );
    process.kill(first.pid, 'SIGKILL');
    for (let at = 3; at <= 6; at++) {
      let next = (await planOf(second))[1]!;
      while (next.claimedBy === 'First') [, next] = (await planOf(second)) as [never, typeof next];
      assert.equal(next.title, `Step ${at}`);
      await second.done('update_tasks', { updates: [{ id: next.id, claim: true }] });
      await second.done('complete_tasks', { ids: [next.id] });
    }
    assert.deepEqual(
      (await planOf(second)).map(({ title }) => title),
      ['Fix the race'],
    );
  });

  it('are those of the current branch, in at most 250 tokens, without hidden tasks', async () => {
    const store = agents.folder();
    const tree = aTree(store, 'r', 'one');
    const agent = await agents.connect(store, { cwd: tree.root });
    await agent.done('add_tasks', { tasks: [{ text: `Plan of one\n${steps}` }] });
    await agent.done('add_tasks', { tasks: [{ text: 'A task alone' }] });
    const { text, data } = await agent.done('context');
    const plan = data.plan as readonly object[];
    assert.match(text, /plan \(7 open\):\ndl-\w+ Plan of one/);
    assert.ok(tokensOf(JSON.stringify(plan)) + tokensOf(text) <= 250 * 2, 'the plan in text and in data');
    tree.checkOut('two');
    assert.equal((await agent.done('context')).data.plan, undefined);
    const elsewhere = await agents.connect(store, { cwd: store });
    assert.equal((await elsewhere.done('context')).data.plan, undefined);
    tree.checkOut('one');
    const window = await agents.window(store);
    const [root] = window.query('title:"Plan of one"').map(({ task }) => task);
    assert.doesNotMatch(root!.unknownProperties!, /one/, 'the name of the branch is not synced');
    await window.updateTask(root!.id, { classification: 1 });
    assert.equal((await agent.done('context')).data.plan, undefined);
  });

  it('add nothing if an open task has the URL', async () => {
    const store = agents.folder();
    const agent = await agents.connect(store);
    const url = 'https://github.com/o/r/issues/7';
    const add = async (address: string) => agent.done('add_tasks', { tasks: [{ title: 'Issue 7', url: address }] });
    const [made] = (await add(url)).data.tasks;
    const again = await add(`${url}/`);
    assert.match(again.text, /^Added 0\. 1 had an open task with that url\./);
    assert.deepEqual(
      again.data.tasks.map(({ id }) => id),
      [made!.id],
    );
    for (const query of ['has:url', 'url:issues/7'])
      assert.equal((await agent.done('find_tasks', { query })).data.tasks.length, 1, query);
    assert.equal((await agent.done('get_task', { id: made!.id })).data.url, url);
    await agent.done('complete_tasks', { ids: [made!.id] });
    assert.match((await add(url)).text, /^Added 1\./);
    // A link is an address, too, alone or in a plan.
    for (const text of [url, `Plan\n- [ ] ${url}`]) {
      const { text: answer, data } = await agent.done('add_tasks', { tasks: [{ text }] });
      assert.match(answer, /^Added [01]\. 1 had an open task with that url\./);
      assert.equal(data.tasks.length, 1);
    }
    // A hidden task with that address is not there.
    const window = await agents.window(store);
    const hidden = 'https://example.com/hidden';
    await window.createTask(window.defaultListId(), { title: 'Secret', url: hidden, classification: 1 });
    assert.match((await agent.done('add_tasks', { tasks: [{ text: hidden }] })).text, /^Added 1\.\n/);
    assert.match((await add(hidden)).text, /^Added 0\. 1 had/);
    const other = 'https://example.com/other';
    await window.createTask(window.defaultListId(), { title: 'Secret', url: other, classification: 1 });
    assert.match((await add(other)).text, /^Added 1\.\n/);
  });

  it('add one task if a call has a URL twice, in whatever way', async () => {
    const agent = await agents.connect(agents.folder());
    const url = 'https://github.com/o/r/issues/8';
    const tasks = [{ title: 'Issue 8', url }, { text: 'The same !high', url: `${url}/` }, { text: url }];
    const { text, data } = await agent.done('add_tasks', { tasks });
    assert.match(text, /^Added 1\. 2 had an open task with that url\.\n/);
    assert.deepEqual(
      data.tasks.map(({ title }) => title),
      ['Issue 8'],
    );
  });
});
