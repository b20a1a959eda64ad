import '../../src/core/exchange/messages';
import '../../src/core/ical/messages';
import '../../src/core/sync/messages';
import '../../src/store/undo/messages';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { extract, messageWords, wordsOf } from '../../scripts/l10n/extract';
import {
  bundleFaults,
  bundleFile,
  bundlesFor,
  manifestFaults,
  messageFaults,
  readWords,
  translations,
} from '../../scripts/l10n/faults';
import { framed, manifestOf, wordFiles } from '../../scripts/manifest';
import { DuelineError, messageOf } from '../../src/core/kernel/errors';
import { plainMessage } from '../../src/core/kernel/message';
import { coreMessage } from '../../src/core/kernel/messages';
import { engineMessage } from '../../src/engine/messages';
import { QueryError } from '../../src/query/parse/queryError';
import { fields } from '../../src/query/parse/vocabulary';
import { t, tn, useWords } from '../../src/shared/l10n';
import { languages, wordsFile } from '../../src/shared/language';
import { storeMessage } from '../../src/store/messages';
import { httpError } from '../../src/sync/dav/httpErrors';
import { localize } from '../../src/ui/text/errorText';

const locales = Object.keys(translations) as (keyof typeof translations)[];

describe('the words of the interface', () => {
  it('are literals in the code, so that they can be extracted', () => {
    assert.deepEqual(extract().faults, []);
    assert.ok(wordsOf().size > 500);
  });

  it('include those by which the filter language explains its fields', () => {
    const words = wordsOf();
    assert.deepEqual(
      Object.values(fields).filter(meaning => !words.has(meaning)),
      [],
    );
  });

  it('exist in every promised language', () => {
    const files = languages.flatMap(language => wordsFile(language) ?? []);
    assert.deepEqual(readdirSync('l10n').sort(), files.sort());
    const manifests = readdirSync('.').filter(name => /^package\.nls\..+\.json$/.test(name));
    assert.deepEqual(manifests.sort(), locales.map(locale => `package.nls.${locale}.json`).sort());
    assert.deepEqual(readdirSync('l10n').sort(), locales.map(locale => basename(bundleFile(locale))).sort());
  });

  // While work goes on new or changed words may wait for their translations; the run of all suites, as for a release, lets none wait.
  const strict = process.env.CI !== undefined || process.env.TEST_RESULTS !== undefined;
  const waiting = (fault: string) => !strict && /^(missing|unused|placeholders):/.test(fault);
  const faults = (found: string[]) => found.filter(fault => !waiting(fault));

  for (const locale of locales) {
    it(`are complete in ${locale}, and none is unused`, () => assert.deepEqual(faults(bundleFaults(locale)), []));
    it(`are complete for the manifest in ${locale}`, () => assert.deepEqual(faults(manifestFaults(locale)), []));
  }

  it('mention no server in bundles of code that knows none', () => {
    const bundles = bundlesFor(['src/ui/text/dateText.ts', 'src/ui/text/alarmText.ts']);
    assert.ok(bundles['bundle.l10n.de.json']?.['{0} minutes']);
    assert.ok(bundles['bundle.l10n.ar.json']?.['{0} minutes|few']);
    assert.equal(bundles['bundle.l10n.de.json']?.['Add CalDAV Account'], undefined);
  });
});

describe('the messages of core, store, sync and engine', () => {
  const wordsIn = (locale: string) => readWords(bundleFile(locale));
  after(() => useWords(undefined, 'en-US'));

  it('have a code each, and every one is used', () => {
    assert.deepEqual(messageFaults(), []);
    assert.ok(messageWords().length > 200);
  });

  for (const locale of locales)
    it(`are translated in ${locale}, whatever their arguments`, () => {
      const bundle = wordsIn(locale);
      useWords(bundle, 'en-US', translations[locale]);
      const fill = (text: string) => text.replace(/\{(\d)\}/g, (_, at) => `<${at}>`);
      const wrong = messageWords().filter(
        ({ code, text }) =>
          localize({ code, args: ['<0>', '<1>', '<2>', '<3>'], text: fill(text) }) !== fill(bundle[text] ?? text),
      );
      assert.deepEqual(wrong, []);
    });

  it('translate nested messages, and keep another program’s words', () => {
    const de = wordsIn('de');
    useWords(de, 'de-DE');
    const german = (text: string, ...args: string[]) => t(text, ...args);
    const unknown = coreMessage('sentences', coreMessage('unknownField', 'titel'), coreMessage('quoteTheColon'));
    assert.equal(
      localize(messageOf(new QueryError(unknown, [0, 5]))),
      `${german('Unknown field “{0}”.', 'titel')} ${german('To search for text with a colon, put it in quotes.')}`,
    );
    const answer = {
      status: 403,
      text: 'Calendar is shared read-only',
      url: 'https://cloud.example.com/',
      method: 'PUT',
    };
    assert.equal(
      localize(messageOf(httpError({ ...answer, headers: new Headers() }))),
      `${german('{0} rejected this request ({1}).', 'cloud.example.com', '403')} ${german('Server message: {0}', answer.text)}`,
    );
    const full = storeMessage('changeNotSaved', storeMessage('diskFull'));
    assert.equal(localize(full), 'Die Änderung wurde nicht gespeichert: der Datenträger ist voll.');
    assert.equal(localize(plainMessage('A list name is required.')), 'A list name is required.');
    assert.equal(localize(messageOf(new Error('Something else.'))), 'Something else.');
  });

  it('are not confused with text that the user wrote', () => {
    useWords(wordsIn('de'), 'de-DE');
    const name = 'A list name is required.';
    assert.ok(localize(engineMessage('listReadOnly', name)).includes(name));
    for (const code of ['constructor', '__proto__', 'toString'])
      assert.equal(localize({ code, args: [], text: 'as it is' }), 'as it is');
  });

  it('are English sentences in the log and for programs, with their code and arguments', () => {
    useWords(undefined, 'en-US');
    const error = new DuelineError('readOnly', engineMessage('listReadOnly', 'Work'));
    assert.equal(error.message, 'You do not have permission to edit “Work”.');
    assert.deepEqual({ code: error.code, args: error.args }, { code: 'listReadOnly', args: ['Work'] });
    assert.equal(localize(messageOf(error)), error.message);
    assert.equal('code' in new DuelineError('invalid', '"x" must be text.'), false);
  });
});

describe('the Arabic words of the manifest', () => {
  it('are wrapped so that they keep their order in an editor laid out from left to right', () => {
    const shipped = Object.entries(wordFiles(manifestOf('full'))['package.nls.ar.json']!);
    const sentences = shipped.filter(([key]) => !key.startsWith('command.')).flatMap(([, text]) => text.split('\n'));
    const torn = (line: string) => /[A-Za-z.…]/.test(line.replace(/\(command:[^)]*\)/g, '')) && !/\u2067/.test(line);
    assert.deepEqual(sentences.filter(torn), []);
    assert.ok(sentences.length > 100);
  });

  it('start with what the user types if they name a command', () => {
    const shipped = Object.entries(wordFiles(manifestOf('full'))['package.nls.ar.json']!);
    const names = shipped.filter(([key]) => key.startsWith('command.')).map(([, name]) => name);
    assert.deepEqual(
      names.filter(name => !/^\p{L}/u.test(name) || name.endsWith('…')),
      [],
    );
    assert.ok(names.includes('قائمة جديدة…\u200f'));
  });

  it('are wrapped line by line, and a line that is one link stays one', () => {
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
    it(`returns ${count}`, () => {
      const digits = count.toLocaleString('ar');
      assert.equal(tn(count, '{0} task', '{0} tasks'), words.replace(String(count), digits));
    });

  it('fills in arguments', () => assert.equal(t('due {0}', 'x'), 'تستحق x'));
});
