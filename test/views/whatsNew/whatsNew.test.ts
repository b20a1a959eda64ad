import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { notesFile, notesFor } from '../../../scripts/release/version';
import { languageFor, languages, localeOf, wordsFile } from '../../../src/shared/language';
import { isUpdate, renderNotes, titleOfNotes } from '../../../src/views/whatsNew/notes';

describe('release notes as a page', () => {
  it('show headings, lists, bold and code, and continue an item in the next line', () => {
    const markdown = '# New\n\nSome `code`.\n\n- **One.** First\n  and more.\n- Two\n\n## Fixed\n';
    assert.equal(
      renderNotes(markdown),
      '<h1>New</h1>\n<p>Some <code>code</code>.</p>\n' +
        '<ul><li><strong>One.</strong> First and more.</li><li>Two</li></ul>\n<h2>Fixed</h2>',
    );
  });

  it('accept no other markup', () => {
    assert.equal(renderNotes('<script>x</script> & "y"'), '<p>&lt;script&gt;x&lt;/script&gt; &amp; &quot;y&quot;</p>');
    assert.equal(renderNotes('Said. <!-- full -->'), '<p>Said.</p>');
  });

  for (const language of languages)
    it(`exist in ${language}, and do not mention servers in the offline flavor`, () => {
      const notes = readFileSync(notesFile('1.1.0', language), 'utf8');
      assert.match(titleOfNotes(notes), /Dueline 1\.1\.0$/);
      assert.equal(renderNotes(notesFor('full', notes)).match(/<li>/g)?.length, 6);
      const offline = notesFor('offline', notes);
      assert.equal(renderNotes(offline).match(/<li>/g)?.length, 5);
      assert.doesNotMatch(offline, /<!--|server|serveur|servidor|خادم/i);
    });
});

describe('the changelog in the offline flavor', () => {
  it('does not mention servers; an entry about them ends its first line in <!-- full -->', () => {
    const offline = notesFor('offline', readFileSync('CHANGELOG.md', 'utf8'));
    const strange = offline.split('\n').filter(line => /<!--|server|\bsync|CalDAV|account|device/i.test(line));
    assert.deepEqual(strange, []);
    assert.match(offline, /^- \*\*Dueline Offline\*\* is a separate build without any network access/m);
    assert.doesNotMatch(offline, /^### Sync/m);
  });

  it('omits an entry up to its last line, and no other', () => {
    const text = '- a\n  b <!-- full -->\n- c <!-- full -->\n  d\n    e\n- f\n\n## g\n';
    assert.equal(notesFor('offline', text), '- a\n- f\n\n## g\n');
    assert.equal(notesFor('full', text), '- a\n  b\n- c\n  d\n    e\n- f\n\n## g\n');
  });
});

describe('the message about an update', () => {
  for (const [before, hadTasks, isShown] of [
    [undefined, false, false],
    [undefined, true, true],
    ['1.0.0', true, true],
    ['1.1.0', true, false],
    ['1.1.3', true, false],
    ['0.9.0', true, true],
    ['1.2.0', true, false],
  ] as const)
    it(`is ${isShown ? '' : 'not '}shown on an update from ${before ?? 'nothing'} ${hadTasks ? 'with' : 'without'} tasks`, () =>
      assert.equal(isUpdate(before, '1.1.0', hadTasks), isShown));
});

describe('the language of the interface', () => {
  for (const [chosen, editor, system, language] of [
    ['auto', 'en', 'en-US', 'en-US'],
    ['auto', 'en', 'en-GB', 'en-GB'],
    ['auto', 'en', 'de-DE', 'en-US'],
    ['auto', 'de', 'de-AT', 'de-DE'],
    ['auto', 'pt-br', 'pt-BR', 'pt-BR'],
    ['auto', 'fr', 'en-US', 'fr-FR'],
    ['auto', 'ar', 'ar-EG', 'ar'],
    ['auto', 'ja', 'ja-JP', 'en-US'],
    ['fr-FR', 'de', 'de-DE', 'fr-FR'],
    ['en-US', 'en', 'en-GB', 'en-US'],
    ['nonsense', 'de', 'de-DE', 'de-DE'],
  ] as const)
    it(`${chosen} in an editor in ${editor}, on a system in ${system}: ${language}`, () =>
      assert.equal(languageFor(chosen, editor, system), language));

  it('is read from a locale in any usual form, and ignores invalid ones', () => {
    assert.deepEqual(['de-AT', 'de_DE', ' pt_br ', 'auto', '', 'Deutsch (DE)', '-'].map(localeOf), [
      'de-AT',
      'de-DE',
      'pt-BR',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has a file of texts for each language but the one in the code', () => {
    assert.deepEqual(languages.map(wordsFile), [
      undefined,
      'bundle.l10n.en-gb.json',
      'bundle.l10n.de.json',
      'bundle.l10n.pt-br.json',
      'bundle.l10n.fr.json',
      'bundle.l10n.ar.json',
    ]);
  });
});
