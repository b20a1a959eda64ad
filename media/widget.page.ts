import { useWords } from '../src/views/l10n';
import type { Boot } from '../src/views/protocol';
import { remember, remembered } from './parts/host';
import './parts/widgetApp';

const boot = JSON.parse(document.body.dataset.boot ?? '{}') as Boot;
useWords(boot.words, boot.locale);
if (boot.setup !== undefined) remember({ ...remembered(), setup: boot.setup });
document.body.append(document.createElement('dueline-widget'));
