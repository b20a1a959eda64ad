import type { WidgetKind } from '../../query/agenda/widgets';
import { brief, t } from '../../shared/l10n';

const names: Readonly<Record<WidgetKind, () => string>> = {
  today: () => t('Today'),
  upNext: () => t('Up Next'),
  lists: () => t('Lists'),
  week: () => t('Week'),
  month: () => t('Month'),
  board: () => t('Board'),
  tasks: () => t('Tasks'),
  done: () => t('Done'),
};

export const kindName = (kind: WidgetKind) => names[kind]();

export const widgetName = ({ kind, title = '' }: { kind: WidgetKind; title?: string }) =>
  brief(title) || kindName(kind);
