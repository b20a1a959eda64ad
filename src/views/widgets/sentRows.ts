import type { RowView } from '../../shared/widgetRow';

/** What a page has been told of its rows, and what it must be told next. */
export class SentRows {
  #sent: ReadonlyMap<string, RowView> = new Map();

  /** Takes in what the widget shows now; returns the rows that are news to the page. `fresh`: it knows nothing. */
  show(rows: readonly RowView[], fresh: boolean): RowView[] {
    const before = fresh ? new Map<string, RowView>() : this.#sent;
    const isNews = (row: RowView) => {
      const old = before.get(row.key);
      return !old || (old !== row && JSON.stringify(old) !== JSON.stringify(row));
    };
    // The page forgets what is not shown; it must be told again when it comes back.
    this.#sent = new Map(rows.map(row => [row.key, row]));
    return rows.filter(isNews);
  }

  /**
   * The rows behind the keys that are shown. A row that has just gone to another group is still the same row: the
   * page may not have drawn it there yet when a key of the keyboard means it.
   */
  of(keys: readonly string[]): RowView[] {
    let anywhere: ReadonlyMap<string, RowView> | undefined;
    const inOtherGroup = (key: string) => {
      anywhere ??= new Map([...this.#sent].map(([known, row]) => [withoutGroup(known), row]));
      return anywhere.get(withoutGroup(key));
    };
    return keys.flatMap(key => this.#sent.get(key) ?? inOtherGroup(key) ?? []);
  }
}

/** The key of a row begins with that of its group. */
const withoutGroup = (key: string) => key.slice(key.lastIndexOf('/'));
