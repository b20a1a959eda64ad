import { useWords } from '../src/views/l10n';
import type { Boot } from '../src/views/protocol';
import './parts/widgetApp';

const boot = JSON.parse(document.body.dataset.boot ?? '{}') as Boot;
useWords(boot.words, boot.locale);
document.body.append(document.createElement('dueline-widget'));
