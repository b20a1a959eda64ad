import { useWords } from '../src/views/l10n';
import type { Boot } from '../src/views/protocol';
import { remember, remembered } from './parts/host';
import './parts/widgetApp';

const boot = JSON.parse(document.body.dataset.boot ?? '{}') as Boot;
useWords(boot.words, boot.locale, boot.language);
// The page is made anew from the same text whenever it shows again: what was set since is in its memory.
if (boot.setup !== undefined) remember({ setup: boot.setup, ...remembered() });
document.body.append(document.createElement('dueline-widget'));
