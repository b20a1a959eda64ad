// What the locales lack: `node scripts/l10n.mjs [locale ...]`; `--words` prints every word of the interface instead.
import { parseArgs } from 'node:util';
import { extract, wordsOf } from './l10n/extract.mjs';
import { bundleFaults, manifestFaults, messageFaults, translations } from './l10n/faults.mjs';

const { values, positionals: asked } = parseArgs({ allowPositionals: true, options: { words: { type: 'boolean' } } });
if (values.words) {
  for (const [text, { roles }] of wordsOf()) console.log(JSON.stringify([text, ...roles]));
} else {
  const locales = /** @type {(keyof typeof translations)[]} */ (asked.length ? asked : Object.keys(translations));
  const found = [
    ...extract().faults.map(fault => `not a plain text: ${fault}`),
    ...messageFaults().map(fault => `messages: ${fault}`),
    ...locales.flatMap(locale => [
      ...manifestFaults(locale).map(fault => `${locale}, manifest: ${fault}`),
      ...bundleFaults(locale).map(fault => `${locale}: ${fault}`),
    ]),
  ];
  for (const fault of found) console.log(fault);
  console.log(`${found.length} faults`);
  process.exit(found.length === 0 ? 0 : 1);
}
