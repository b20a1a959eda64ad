import { useWords } from '../../src/shared/l10n';
import type { Boot } from '../../src/shared/widgetProtocol';
import { remember, remembered } from '../page/hostMessages';
import '../form/taskForm';
import '../widget/widgetApp';

/** A widget, or the page of a task. One script for both: most of either is what they share, and a package holds it once. */
const boot = JSON.parse(document.body.dataset.boot ?? '{}') as Boot;
useWords(boot.words, boot.locale, boot.language);
if (boot.kind === 'task') {
  const form = document.createElement('dueline-task') as HTMLElement & { setup: unknown };
  form.setup = boot.setup;
  document.body.append(form);
} else {
  // The page is recreated from the same HTML whenever it is shown again, so later settings are in its memory.
  if (boot.setup !== undefined) remember({ setup: boot.setup, ...remembered() });
  document.body.append(document.createElement('dueline-widget'));
}
