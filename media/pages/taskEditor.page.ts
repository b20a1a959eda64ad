import { useWords } from '../../src/shared/l10n';
import type { Boot } from '../../src/shared/widgetProtocol';
import '../form/taskForm';

const boot = JSON.parse(document.body.dataset.boot ?? '{}') as Boot;
useWords(boot.words, boot.locale, boot.language);
const form = document.createElement('dueline-task') as HTMLElement & { setup: unknown };
form.setup = boot.setup;
document.body.append(form);
