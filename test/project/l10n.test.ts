import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { bundlesFor, messagesFor } from '../../scripts/l10n/bundles.mjs';
import { extract, wordsOf } from '../../scripts/l10n/extract.mjs';
import {
  bundleFaults,
  manifestFaults,
  messageFaults,
  present,
  strangeFiles,
  translations,
} from '../../scripts/l10n/faults.mjs';
import { engineFiles } from '../../scripts/l10n/messages.mjs';
import { framed, manifestOf, wordFiles } from '../../scripts/manifest.mjs';
import { DuelineError } from '../../src/core/errors';
import { fields } from '../../src/core/filter/parse/vocabulary';
import { localize, useMessages } from '../../src/shared/engineMessages';
import { t, tn, useWords } from '../../src/shared/l10n';
import { languages, messagesKey, wordsFile } from '../../src/shared/language';

describe('the words of the interface', () => {
  it('are plain texts in the code, so that they can be read off', () => {
    assert.deepEqual(extract().faults, []);
    assert.ok(wordsOf().size > 500);
  });

  it('are those too by which the filter language explains its fields', () => {
    const words = wordsOf();
    assert.deepEqual(
      Object.values(fields).filter(meaning => !words.has(meaning)),
      [],
    );
  });

  it('are there in every language that is promised', () => {
    assert.deepEqual(present().sort(), Object.keys(translations).sort());
    const files = languages.flatMap(language => wordsFile(language) ?? []);
    assert.deepEqual(readdirSync('l10n').sort(), [...files, 'messages.json'].sort());
    assert.deepEqual(strangeFiles(), []);
  });

  // While work goes on new or changed words may wait for their translations; the run of all suites, as for a release, lets none wait.
  const strict = process.env.CI !== undefined || process.env.TEST_RESULTS !== undefined;
  const waiting = (fault: string) => !strict && /^(missing|unused|placeholders):/.test(fault);
  const faults = (found: string[]) => found.filter(fault => !waiting(fault));

  for (const locale of present()) {
    it(`lack nothing in ${locale}, and nothing is left over`, () => assert.deepEqual(faults(bundleFaults(locale)), []));
    it(`lack nothing of what the engine says in ${locale}`, () => assert.deepEqual(faults(messageFaults(locale)), []));
    it(`lack nothing in the manifest in ${locale}`, () => assert.deepEqual(faults(manifestFaults(locale)), []));
  }

  it('name no server in the bundles of a part that knows none', () => {
    const bundles = bundlesFor(['src/ui/text/dateText.ts', 'src/ui/text/alarmText.ts']);
    assert.ok(bundles['bundle.l10n.de.json']?.['{0} minutes']);
    assert.ok(bundles['bundle.l10n.ar.json']?.['{0} minutes|few']);
    assert.equal(bundles['bundle.l10n.de.json']?.['Add CalDAV Account'], undefined);
  });
});

describe('what the engine says', () => {
  const messages = messagesFor(engineFiles());
  after(() => useMessages(undefined, undefined));

  for (const language of languages.flatMap(one => messagesKey(one) ?? []))
    it(`is found again and said in ${language}, whatever fills its places`, () => {
      useMessages(messages, language);
      const filled = (text: string) => text.replace(/\{(\d)\}/g, (_, at) => `<${at}>`);
      const wrong = Object.entries(messages).filter(
        ([english, others]) => localize(filled(english)) !== filled(others[language] ?? english),
      );
      assert.deepEqual(wrong, []);
      assert.ok(Object.keys(messages).length > 200);
    });

  it('leaves words alone that every object has', () => {
    useMessages(messages, 'de');
    for (const word of ['constructor', '__proto__', 'toString']) assert.equal(localize(word), word);
  });

  it('translates the parts of a sentence too, and leaves a server’s own words', () => {
    useMessages(messages, 'de');
    const error = new DuelineError(
      'query',
      'Unknown field “titel”. To search for text with a colon, put it in quotes.',
    );
    assert.equal(
      localize(error.message),
      'Unbekanntes Feld „titel“. Um nach Text mit Doppelpunkt zu suchen, setzen Sie ihn in Anführungszeichen.',
    );
    assert.equal(
      localize('cloud.example.com rejected this request (403). Server message: Calendar is shared read-only'),
      'cloud.example.com hat diese Anforderung abgelehnt (403). Meldung des Servers: Calendar is shared read-only',
    );
    assert.equal(
      localize('The change was not saved: the disk is full.'),
      'Die Änderung wurde nicht gespeichert: der Datenträger ist voll.',
    );
    assert.equal(localize('Something else.'), 'Something else.');
  });

  it('stays as it is in English', () => {
    useMessages(messages, undefined);
    assert.equal(localize('A list name is required.'), 'A list name is required.');
  });
});

describe('the Arabic words of the manifest', () => {
  it('are shipped in frames that keep their order in an editor laid out from left to right', () => {
    const shipped = Object.entries(wordFiles(manifestOf('full'))['package.nls.ar.json']!);
    const sentences = shipped.filter(([key]) => !key.startsWith('command.')).flatMap(([, text]) => text.split('\n'));
    const torn = (line: string) => /[A-Za-z.…]/.test(line.replace(/\(command:[^)]*\)/g, '')) && !/\u2067/.test(line);
    assert.deepEqual(sentences.filter(torn), []);
    assert.ok(sentences.length > 100);
  });

  it('begin with what a person types where they name a command', () => {
    const shipped = Object.entries(wordFiles(manifestOf('full'))['package.nls.ar.json']!);
    const names = shipped.filter(([key]) => key.startsWith('command.')).map(([, name]) => name);
    assert.deepEqual(
      names.filter(name => !/^\p{L}/u.test(name) || name.endsWith('…')),
      [],
    );
    assert.ok(names.includes('قائمة جديدة…\u200f'));
  });

  it('are framed line by line, and a line that is one link stays one', () => {
    const [failed, button] = ['تعذّر على Dueline فتح مخزنه.', 'قائمة جديدة'];
    assert.equal(framed(button), button);
    assert.equal(
      framed(`${failed}\n[${button}…](command:a)\n[${button}](command:b)\n[أ](command:a) و[ب](command:b)`),
      `\u2067${failed}\u2069\n[\u2067${button}…\u2069](command:a)\n[${button}](command:b)\n\u2067[أ](command:a) و[ب](command:b)\u2069`,
    );
  });
});

describe('counting in Arabic', () => {
  const bundle = bundlesFor(extract().words.map(({ file }) => file))['bundle.l10n.ar.json']!;
  before(() => useWords(bundle, 'ar'));
  after(() => useWords(undefined, 'en-US'));

  for (const [count, words] of [
    [0, 'لا مهام'],
    [1, 'مهمة واحدة'],
    [2, 'مهمتان'],
    [3, '3 مهام'],
    [11, '11 مهمة'],
    [100, '100 مهمة'],
  ] as const)
    it(`says ${count}`, () => {
      const digits = count.toLocaleString('ar');
      assert.equal(tn(count, '{0} task', '{0} tasks'), words.replace(String(count), digits));
    });

  it('fills in arguments', () => assert.equal(t('due {0}', 'x'), 'تستحق x'));
});
