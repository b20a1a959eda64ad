import type { Occurrence } from '../../core/kernel/model';
import { currentBundle, currentLocale } from '../../shared/l10n';
import type { RowDetails } from '../../shared/widgetRow';
import { type RowSetting, rowView } from '../webview/rowView';

/**
 * The rows of one widget as they were last built: rebuilding the texts of thousands of dates and titles after each edit
 * would take longer than the edit. Rows that the engine has not touched are still the same objects.
 */
export class RowCache {
  #made = new WeakMap<Occurrence, { readonly stamp: string; readonly view: RowDetails }>();
  #words = currentBundle();

  row(item: Occurrence, key: string, today: string, setting: RowSetting): RowDetails {
    if (this.#words !== currentBundle()) {
      this.#words = currentBundle();
      this.#made = new WeakMap();
    }
    const stamp = `${key}\n${today}\n${stampOf(item, setting)}`;
    const made = this.#made.get(item);
    if (made?.stamp === stamp) return made.view;
    const view = rowView(item, key, setting);
    this.#made.set(item, { stamp, view });
    return view;
  }
}

/** Everything besides the row itself that determines its texts. */
function stampOf(
  { task }: Occurrence,
  {
    style,
    lists,
    on,
    withoutList,
    depth,
    progress,
    movedFrom,
    reminds,
    active,
    claimed,
    codeLocation,
    syncProblem,
    blockedBy,
    parent,
  }: RowSetting,
): string {
  const list = lists.get(task.listId);
  return [
    on,
    movedFrom,
    blockedBy?.join('\n'),
    parent,
    withoutList,
    depth,
    reminds,
    active,
    claimed,
    codeLocation,
    syncProblem?.kind,
    progress?.done,
    progress?.total,
    list?.name,
    list?.color,
    list?.isReadOnly,
    style.dateFormat,
    style.timeFormat,
    style.firstDay,
    style.startHour,
    style.clock.timeZone,
    currentLocale(),
  ].join('\t');
}
