import { isLoaded, type KnownRow } from '../../src/shared/widgetRow';
import { type Item, inSight } from '../page/rowLayout';

/**
 * Screens before and after the one in sight: how near a row without details may come, and up to which distance they are
 * requested.
 */
const [near, far] = [1, 3];

/**
 * The keys of the rows that need texts: none while the rows around the visible ones have them, otherwise those of a few
 * screens at once. They are `requested` from then on.
 */
export function rowsToRender(
  items: readonly Item[],
  offset: number,
  sight: number,
  requested: WeakSet<KnownRow>,
): string[] {
  const missing = (screens: number) =>
    inSight(items, offset - screens * sight, offset + (screens + 1) * sight).flatMap(item =>
      item.kind === 'row' && !isLoaded(item.row) && !requested.has(item.row) ? [item.row] : [],
    );
  if (missing(near).length === 0) return [];
  const rows = missing(far);
  for (const row of rows) requested.add(row);
  return rows.map(({ key }) => key);
}
