/** What undo calls an edit: a key that the views put into words, how many tasks, and the title where it is one. */
export interface EditLabel {
  readonly key: string;
  readonly count: number;
  readonly title?: string;
}
