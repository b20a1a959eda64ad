import type { GroupView } from '../../src/shared/widgetProtocol';

/** Fewer cells than these are all drawn. */
const fewCells = 200;
/** The widths in widgetColumns.css. */
export const [columnWidth, collapsedWidth] = [220, 34];
/** Columns before and after those in sight. */
const overscan = 2;

/** The part of a board that is in sight, in pixels. */
interface Sight {
  /** How far it is scrolled. */
  readonly from: number;
  readonly width: number;
}

/** The columns of a board that are drawn: all of a small one, else those in sight. */
export function columnsInSight(heads: readonly GroupView[], cells: number, { from, width }: Sight): readonly boolean[] {
  const widths = heads.map(({ board }) => (board?.isCollapsed ? collapsedWidth : columnWidth));
  const whole = widths.reduce((sum, each) => sum + each, 0);
  // If all have room, they share the width.
  if (cells <= fewCells || whole <= width) return heads.map(() => true);
  const margin = overscan * columnWidth;
  let start = 0;
  return widths.map(each => {
    const end = start + each;
    const isNear = end > from - margin && start < from + width + margin;
    start = end;
    return isNear;
  });
}

/** A cell of a lane that is drawn, or how many side by side are not. */
export type LanePart = { readonly cell: GroupView } | { readonly key: string; readonly gap: number };

/** A lane as far as it is drawn. */
export function laneParts(cells: readonly GroupView[], isDrawn: readonly boolean[]): LanePart[] {
  const parts: LanePart[] = [];
  for (const [at, cell] of cells.entries()) {
    const last = parts.at(-1);
    if (isDrawn[at]) parts.push({ cell });
    else if (last && 'gap' in last) parts[parts.length - 1] = { ...last, gap: last.gap + 1 };
    else parts.push({ key: `before ${cell.key}`, gap: 1 });
  }
  return parts;
}
