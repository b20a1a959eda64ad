import type { Side } from '../../src/shared/widgetProtocol';
import type { Item } from '../page/window';
import { allowDrop, carriesOwnRows, carriesRows, dropBeside, dropInto, isGone, sideOf } from './drag';

type Place = { readonly group: string } | { readonly key: string; readonly side: Side };

interface DropArea {
  itemAt(key: string): Item | undefined;
  /** Rows can be put before and after each other. */
  readonly byHand: boolean;
  /** The heading of the one group is outside. */
  readonly headless: boolean;
  requestUpdate(): void;
}

/** The position at which rows that are dragged over a tree would land: in a group, or next to a row of it. */
export class DropTarget {
  #place: Place | undefined;

  constructor(private readonly ground: DropArea) {}

  isIn = (group: string) => this.#place !== undefined && 'group' in this.#place && this.#place.group === group;

  sideOf = (key: string): Side | undefined =>
    this.#place && 'key' in this.#place && this.#place.key === key ? this.#place.side : undefined;

  over = (event: DragEvent): void => {
    if (!carriesRows(event)) return;
    const place = this.#placeAt(event);
    if (place) allowDrop(event);
    this.#moveTo(place);
  };

  leave = (event: DragEvent): void => {
    if (isGone(event)) this.#moveTo(undefined);
  };

  drop = (event: DragEvent): void => {
    // A busy page hears of the pointer's last steps late.
    const place = this.#placeAt(event) ?? this.#place;
    this.#moveTo(undefined);
    if (!place) return;
    if ('group' in place) dropInto(event, place.group);
    else dropBeside(event, place.key, place.side);
  };

  #placeAt(event: DragEvent): Place | undefined {
    const element = (event.target as Element).closest<HTMLElement>('[data-key], [data-group]');
    const item = element && this.ground.itemAt(element.dataset.key ?? `group:${element.dataset.group}`);
    if (!item) return undefined;
    if (this.ground.byHand && item.kind === 'row' && carriesOwnRows(event))
      return { key: item.row.key, side: sideOf(event, element) };
    return item.group.place && !this.ground.headless ? { group: item.group.key } : undefined;
  }

  #moveTo(place: Place | undefined): void {
    if (JSON.stringify(place) === JSON.stringify(this.#place)) return;
    this.#place = place;
    this.ground.requestUpdate();
  }
}
