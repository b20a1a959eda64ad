import type { Side } from '../../src/shared/widgetProtocol';
import type { Item } from '../page/rowLayout';
import { allowDrop, carriesOwnRows, carriesRows, dropBeside, dropInto, hasLeft, sideOf } from './drag';

type DropPosition = { readonly group: string } | { readonly key: string; readonly side: Side };

interface DropArea {
  itemAt(key: string): Item | undefined;
  /** Rows can be put before and after each other. */
  readonly byHand: boolean;
  /** The heading of the one group is outside. */
  readonly hidesHeadings: boolean;
  requestUpdate(): void;
  /** Makes a row the active one once it is in that group. */
  follow(group: string, key: string): void;
  focus(): void;
}

/** The position at which rows that are dragged over a tree would land: in a group, or next to a row of it. */
export class DropTarget {
  #position: DropPosition | undefined;

  constructor(private readonly area: DropArea) {}

  isIn = (group: string) => this.#position !== undefined && 'group' in this.#position && this.#position.group === group;

  sideOf = (key: string): Side | undefined =>
    this.#position && 'key' in this.#position && this.#position.key === key ? this.#position.side : undefined;

  over = (event: DragEvent): void => {
    if (!carriesRows(event)) return;
    const position = this.#positionAt(event);
    if (position) allowDrop(event);
    this.#moveTo(position);
  };

  leave = (event: DragEvent): void => {
    if (hasLeft(event)) this.#moveTo(undefined);
  };

  drop = (event: DragEvent): void => {
    // A busy page gets the pointer's last events late.
    const position = this.#positionAt(event) ?? this.#position;
    this.#moveTo(undefined);
    if (!position) return;
    const dropped =
      'group' in position ? dropInto(event, position.group) : dropBeside(event, position.key, position.side);
    const group = 'group' in position ? position.group : this.area.itemAt(position.key)?.group.key;
    if (dropped === undefined || group === undefined) return;
    this.area.follow(group, dropped);
    this.area.focus();
  };

  #positionAt(event: DragEvent): DropPosition | undefined {
    const element = (event.target as Element).closest<HTMLElement>('[data-key], [data-group]');
    const item = element && this.area.itemAt(element.dataset.key ?? `group:${element.dataset.group}`);
    if (!item) return undefined;
    if (this.area.byHand && item.kind === 'row' && carriesOwnRows(event))
      return { key: item.row.key, side: sideOf(event, element) };
    return item.group.dropValues && !this.area.hidesHeadings ? { group: item.group.key } : undefined;
  }

  #moveTo(position: DropPosition | undefined): void {
    if (JSON.stringify(position) === JSON.stringify(this.#position)) return;
    this.#position = position;
    this.area.requestUpdate();
  }
}
