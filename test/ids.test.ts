import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandIds, contextKeys, panels, settingIds, views } from '../src/ids';
import { isFullOnly } from '../src/serverIds';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = read('package.json');
const words: Record<string, string> = read('package.nls.json');
const { contributes } = manifest;
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && name !== 'ids.ts')
  .map(name => readFileSync(join('src', name), 'utf8'));

const sorted = (ids: Iterable<string>) => [...new Set(ids)].sort();
const menuItems: { command?: string; submenu?: string; when?: string }[] = Object.values(
  contributes.menus,
).flat() as never;

describe('contributed ids', () => {
  it('commands: the manifest and ids.ts name the same', () => {
    const contributed = contributes.commands.map(({ command }: { command: string }) => command);
    assert.deepEqual(sorted(contributed), sorted(commandIds));
    assert.equal(contributed.length, new Set(contributed).size);
  });

  it('views: the manifest and ids.ts name the same', () => {
    const containers = Object.values(contributes.viewsContainers).flat() as { id: string }[];
    const contributed = (Object.values(contributes.views).flat() as { id: string }[]).concat(containers);
    assert.deepEqual(sorted(contributed.map(({ id }) => id)), sorted(Object.values(views)));
  });

  it('tabs: each kind starts the extension when the editor restores it', () => {
    const events: string[] = manifest.activationEvents;
    assert.deepEqual(
      Object.values(panels).filter(id => !events.includes(`onWebviewPanel:${id}`)),
      [],
    );
  });

  it('settings: the manifest and ids.ts name the same, and every one is read', () => {
    const sections: { properties: Record<string, unknown> }[] = contributes.configuration;
    assert.deepEqual(sorted(sections.flatMap(({ properties }) => Object.keys(properties))), sorted(settingIds));
    assert.deepEqual(
      settingIds.filter(id => !sources.some(text => text.includes(`'${id}'`))),
      [],
    );
  });

  it('every command is registered once in the code', () => {
    const registered = sources.flatMap(text =>
      [...text.matchAll(/(?:\bon|onCommand|registerCommand)\(\s*'(dueline\.[^']+)'/g)].map(match => match[1]!),
    );
    assert.deepEqual(sorted(registered), sorted(commandIds));
  });

  it('menus and keys call commands that are contributed', () => {
    const called = [...menuItems, ...contributes.keybindings].flatMap(
      ({ command }: { command?: string }) => command ?? [],
    );
    assert.deepEqual(
      called.filter(id => !(commandIds as string[]).includes(id)),
      [],
    );
  });

  it('when-clauses name context keys that exist', () => {
    const known = new Set<string>([...Object.values(contextKeys), ...Object.values(views)]);
    const clauses = [
      ...menuItems,
      ...contributes.keybindings,
      ...contributes.viewsWelcome,
      ...contributes.commands.map(({ enablement }: { enablement?: string }) => ({ when: enablement })),
      ...Object.values(contributes.views).flat(),
    ].flatMap(({ when }: { when?: string }) => when ?? []);
    const named = clauses.flatMap(when =>
      [...when.replace(/\/[^/]*\//g, ' ').matchAll(/\bdueline\.[\w.]+/g)].map(match => match[0]),
    );
    assert.deepEqual(
      named.filter(key => !known.has(key)),
      [],
    );
  });

  it('the manifest’s words are there, and none is left over', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(match => match[1]!);
    assert.deepEqual(sorted(used), sorted(Object.keys(words)));
  });

  it('what the offline flavor leaves out is accounts and sync alone', () => {
    assert.deepEqual(
      commandIds.filter(isFullOnly).filter(id => !/account|sync/i.test(id)),
      [],
    );
  });
});
