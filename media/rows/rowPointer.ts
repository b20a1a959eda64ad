import type { RowAct } from '../../src/shared/widgetProtocol';
import { startDrag } from '../drag/drag';
import { openMenuBelow } from './contextMenu';

/** The list that the pointer is in. */
interface PointedRows {
  /** The row below the pointer, by its key. */
  hovered: string | undefined;
  /** The row that key presses act on. */
  active: string | undefined;
  targetsOf(key: string): readonly string[];
  act(act: RowAct, key: string): void;
  pick(key: string, event: MouseEvent): void;
}

/** The pointer's acts on rows. They have no listeners of their own, so that many are drawn fast. */
export const rowPointer = (rows: PointedRows) => ({
  over: (event: PointerEvent): void => {
    rows.hovered = keyAt(event);
  },
  leave: (): void => {
    rows.hovered = undefined;
  },
  click: (event: MouseEvent): void => {
    const key = keyAt(event);
    if (key === undefined) return;
    const button = buttonAt(event);
    if (!button) {
      rows.pick(key, event);
      return;
    }
    event.stopPropagation();
    if (button.dataset.act === 'menu') openMenuBelow(button);
    else rows.act(button.dataset.act as RowAct, key);
  },
  /** Two quick clicks on a button are not a double click on its row. */
  doubleClick: (event: MouseEvent): void => {
    const key = keyAt(event);
    if (key !== undefined && !buttonAt(event)) rows.act('open', key);
  },
  drag: (event: DragEvent): void => {
    const key = keyAt(event);
    if (key === undefined) return;
    rows.active = key;
    startDrag(event, rows.targetsOf(key));
  },
});

const at = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : undefined;

/** A row without texts is not drawn yet. */
const keyAt = (event: Event) => at(event, '.row[data-key]:not(.blank), .card')?.dataset.key;

const buttonAt = (event: Event) => at(event, '[data-act]');
