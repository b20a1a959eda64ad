import assert from 'node:assert/strict';
import { UnloadedTabs } from '../../../src/views/webview/unloadedTabs';

/** The state that a window keeps over a reload, as text. */
function aMemory() {
  const kept = new Map<string, string>();
  return {
    keys: () => [...kept.keys()],
    get: <T>(key: string, usual?: T) => (kept.has(key) ? (JSON.parse(kept.get(key)!) as T) : usual) as T,
    update: async (key: string, value: unknown) => void kept.set(key, JSON.stringify(value)),
  };
}

describe('tabs whose page has not loaded', () => {
  it('are found by their title after a reload, the oldest first, and once', () => {
    const memory = aMemory();
    const before = new UnloadedTabs<string>(memory, 'widgets');
    before.add('Tasks', 'one');
    before.add('Week', 'week');
    before.add('Tasks', 'two');
    const after = new UnloadedTabs<string>(memory, 'widgets');
    assert.equal(after.take('Today'), undefined);
    assert.deepEqual(
      ['Tasks', 'Tasks', 'Tasks'].map(title => after.take(title)),
      ['one', 'two', undefined],
    );
    assert.equal(after.take('Week'), 'week');
  });

  it('are forgotten once their page has loaded or they are closed, alone and once', () => {
    const memory = aMemory();
    const tabs = new UnloadedTabs<string>(memory, 'widgets');
    const loaded = tabs.add('Tasks', 'same');
    tabs.add('Tasks', 'same');
    loaded.forget();
    loaded.forget();
    assert.equal(tabs.take('Tasks'), 'same');
    assert.equal(tabs.take('Tasks'), undefined);
  });

  it('are found by their latest title', () => {
    const memory = aMemory();
    const tabs = new UnloadedTabs<string>(memory, 'forms');
    const [tab, other] = [tabs.add('Buy milk', 'task'), tabs.add('Buy milk', 'other')];
    tab.retitle('Buy oat milk');
    const after = new UnloadedTabs<string>(memory, 'forms');
    assert.equal(after.take('Buy oat milk'), 'task');
    assert.equal(after.take('Buy milk'), 'other');
    other.forget();
    other.retitle('Late');
    assert.equal(after.take('Late'), undefined);
  });

  it('are separated by kind, and only the newest are kept', () => {
    const memory = aMemory();
    const forms = new UnloadedTabs<number>(memory, 'forms');
    for (let at = 0; at < 30; at++) forms.add(`Task ${at}`, at);
    assert.equal(new UnloadedTabs<number>(memory, 'widgets').take('Task 29'), undefined);
    assert.equal(forms.take('Task 9'), undefined);
    assert.equal(forms.take('Task 10'), 10);
  });
});
