import { useWords } from '../../src/shared/l10n';
import type { Boot } from '../../src/shared/widgetProtocol';
import { remember, remembered } from '../page/host';
import '../widget/widgetApp';

const boot = JSON.parse(document.body.dataset.boot ?? '{}') as Boot;
useWords(boot.words, boot.locale, boot.language);
// The page is recreated from the same text whenever it shows again: what was set since is in its memory.
if (boot.setup !== undefined) remember({ setup: boot.setup, ...remembered() });
document.body.append(document.createElement('dueline-widget'));
