import assert from 'node:assert/strict';
import { nameSuggestions } from '../../src/ui/nameSuggestions';
import { querySuggestions, withSuggestion } from '../../src/ui/querySuggestions';
import { engines } from '../engine/support/engine';

describe('suggestions for a name that is being typed', () => {
  const lab = engines();
  const filled = async () => {
    const engine = await lab.open();
    await engine.createList({ name: 'Work' });
    await engine.createList({ name: 'Family Shared' });
    for (const text of ['A #home @work', 'B #home @Work', 'C #hobby #"two words"', 'D #HOUSE #work'])
      await engine.quickAdd(text);
    return engine;
  };
  const suggest = async (text: string, where = {}) => {
    const found = nameSuggestions(await filled(), text, where);
    if (!found) return undefined;
    const { names, preselectsFirst, range } = found;
    return { names: names.map(name => name.text.trim()), preselectsFirst, typed: text.slice(...range) };
  };

  it('are complete after a sign alone, most used first', async () => {
    assert.deepEqual(await suggest('Pay #'), {
      names: ['#home', '#hobby', '#HOUSE', '#"two words"', '#work'],
      preselectsFirst: true,
      typed: '#',
    });
    assert.deepEqual(await suggest('Pay @'), {
      names: ['@Inbox', '@Work', '@Family Shared'],
      preselectsFirst: true,
      typed: '@',
    });
  });

  it('start with what is typed, then contain it, ignoring case and accents', async () => {
    assert.deepEqual(await suggest('Pay #hó'), {
      names: ['#home', '#hobby', '#HOUSE'],
      preselectsFirst: true,
      typed: '#hó',
    });
    assert.deepEqual(await suggest('Pay #words'), { names: ['#"two words"'], preselectsFirst: false, typed: '#words' });
    assert.deepEqual(await suggest('Pay #"two w'), {
      names: ['#"two words"'],
      preselectsFirst: true,
      typed: '#"two w',
    });
    assert.deepEqual(await suggest('Pay @family sh'), {
      names: ['@Family Shared'],
      preselectsFirst: true,
      typed: '@family sh',
    });
    assert.deepEqual(await suggest('Pay !h'), { names: ['!high'], preselectsFirst: true, typed: '!h' });
  });

  it('are a priority instead of one that another program knows, unless a name is being typed', async () => {
    const engine = await filled();
    const found = (text: string) => {
      const {
        names = [],
        preselectsFirst,
        range,
      } = nameSuggestions(engine, text, {}, engine.parseQuickAdd(text)) ?? {};
      return [names[0]?.text, names[0]?.detail, range && text.slice(...range), preselectsFirst];
    };
    assert.deepEqual(found('Pay rent p1'), ['!high ', 'instead of \u2068p1\u2069', 'p1', false]);
    assert.deepEqual(found('Fix !! bug'), ['!medium ', 'instead of \u2068!!\u2069', '!!', false]);
    assert.deepEqual(found('Fix p1 bug #hom').slice(0, 1), ['#home ']);
    engine.configure({ quickAddSyntax: 'todoist' });
    assert.deepEqual(found('Pay rent p1'), [undefined, undefined, undefined, undefined]);
  });

  it('are templates after a colon, none of which is preselected for a colon alone at the end of a line', async () => {
    const engine = await filled();
    engine.configure({ templates: ['Big Release', 'Trip'].map(name => ({ name, title: name })) });
    const found = (text: string) => {
      const { names = [], preselectsFirst } = nameSuggestions(engine, text) ?? {};
      return { names: names.map(({ text }) => text), preselectsFirst };
    };
    assert.deepEqual(found('Note :'), { names: [':Big Release ', ':Trip '], preselectsFirst: false });
    assert.deepEqual(found(':big r'), { names: [':Big Release '], preselectsFirst: true });
    assert.deepEqual(found('at 9:t'), { names: [], preselectsFirst: undefined });
  });

  it('are not preselected if the typed text is a name already', async () => {
    assert.deepEqual(await suggest('Pay #home'), { names: [], preselectsFirst: false, typed: '#home' });
    assert.deepEqual(await suggest('Pay @work'), { names: [], preselectsFirst: false, typed: '@work' });
  });

  it('ignore an exclamation mark alone at the end of a line', async () => {
    assert.deepEqual(await suggest('Appeler Paul !'), {
      names: ['!high', '!medium', '!low', '!none'],
      preselectsFirst: false,
      typed: '!',
    });
    for (const text of ['Hurry!', 'Hurry !!', 'Mail a@b', 'C# ', 'Pay #zzz', 'Pay # ', '@Work tomorrow'])
      assert.equal(await suggest(text), undefined, text);
  });

  it('are found at the caret, and not for words that are kept as text', async () => {
    assert.deepEqual(await suggest('Pay #ho tomorrow', { caret: 7 }), {
      names: ['#home', '#hobby', '#HOUSE'],
      preselectsFirst: true,
      typed: '#ho',
    });
    assert.equal(await suggest('Pay #ho', { words: [[4, 7]] }), undefined);
  });

  it('include no lists if the task has its own', async () => {
    assert.equal(await suggest('Pay @wo', { hasFixedList: true }), undefined);
    assert.ok(await suggest('Pay #ho', { hasFixedList: true }));
  });

  it('follow the signs of Todoist if the user chose them', async () => {
    const engine = await filled();
    engine.configure({ quickAddSyntax: 'todoist' });
    assert.equal(nameSuggestions(engine, 'Pay #wo')?.names[0]?.kind, 'list');
    assert.equal(nameSuggestions(engine, 'Pay @ho')?.names[0]?.kind, 'tag');
  });

  it('in a query are values and names, preselected once they are begun; words are searched for', async () => {
    const engine = await filled();
    const first = (text: string) => {
      const { items, preselectsFirst } = querySuggestions(engine, text);
      return { text: items[0]?.text, preselectsFirst };
    };
    assert.deepEqual(first('#ho'), { text: '#home', preselectsFirst: true });
    assert.deepEqual(first('-#ho'), { text: '#home', preselectsFirst: true });
    assert.deepEqual(first('@wo'), { text: '@Work', preselectsFirst: true });
    assert.deepEqual(first('due:tod'), { text: 'today', preselectsFirst: true });
    assert.deepEqual(first('is:'), { text: 'open', preselectsFirst: true });
    for (const whole of ['#home', 'due:today', 'is:open', 'pa', 'rent', 'Wow !', 'title:n', ''])
      assert.equal(first(whole).preselectsFirst, false, whole);
  });

  it('in a query are followed by a space, fields by their value', () => {
    assert.deepEqual(withSuggestion('#ho !high', { text: '#home', from: 0, to: 3 }), {
      query: '#home !high',
      caret: 5,
    });
    assert.deepEqual(withSuggestion('du', { text: 'due:', from: 0, to: 2 }), { query: 'due:', caret: 4 });
    assert.deepEqual(withSuggestion('due:to', { text: 'today', from: 4, to: 6 }), { query: 'due:today ', caret: 10 });
  });
});
