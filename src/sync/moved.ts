/** A task that was moved or missed here. */
export interface Moved {
  readonly at: number;
  /** Where it stands in several lists: in which, with which ETags, and since when it was seen so. */
  readonly double?: { readonly stands: string; readonly since: number };
}
