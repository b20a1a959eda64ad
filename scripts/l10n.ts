// Says what the locales lack: `npm run l10n`.
import { extract } from './l10n/extract';
import { bundleFaults, manifestFaults, messageFaults, translations } from './l10n/faults';

const locales = Object.keys(translations) as (keyof typeof translations)[];
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
