import * as vscode from 'vscode';
import { bucketOf, type PriorityBucket } from '../../core/fields/priority';
import { Status, type Task } from '../../core/kernel/model';

/** An image, for each kind of theme. */
export interface Icon {
  readonly light: vscode.Uri;
  readonly dark: vscode.Uri;
}

/**
 * Colors of the editor's own themes: `list.errorForeground`, `list.warningForeground`, `descriptionForeground`,
 * `foreground`.
 */
const colors: Record<PriorityBucket, readonly [light: string, dark: string]> = {
  high: ['#b01011', '#f88070'],
  medium: ['#855f00', '#cca700'],
  low: ['#5c5c5c', '#a9a9a9'],
  none: ['#3b3b3b', '#cccccc'],
};

/** The strokes that distinguish priorities without color: `!`, `!!`, `!!!`. They are the same in media/rows/glyphs.ts. */
const strokes: Record<PriorityBucket, string> = {
  high: 'M5 5v3.6m0 2.3v.1M8 4.4v4.4m0 2.3v.1M11 5v3.6m0 2.3v.1',
  medium: 'M6.3 4.7v4m0 2.3v.1M9.7 4.7v4m0 2.3v.1',
  low: 'M8 4.4v4.4m0 2.3v.1',
  none: '',
};

/** The icon of a task that waits for others: a lock in place of the ring, with the strokes on its body. */
const lock = {
  outline:
    '<path d="M5 7V5a3 3 0 0 1 6 0v2M2.7 7h10.6v7.4H2.7z" fill="none" stroke="COLOR" stroke-width="1.3" stroke-linejoin="round"/>',
  transform: 'translate(0 6.3) scale(1 .56)',
};
const ring = {
  outline: '<circle cx="8" cy="8" r="6.75" fill="none" stroke="COLOR" stroke-width="1.3"/>',
  transform: '',
};

/** The inside of the icon of a task in progress: the ring half filled. */
const half = '<path d="M8 1.8a6.2 6.2 0 0 0 0 12.4z" fill="COLOR"/>';

const made = new Map<string, Icon>();

/** A task's ring by its priority, or its lock; an empty icon if there is nothing to show, so that titles are aligned. */
export function taskIcon(
  { status, priority }: Pick<Task, 'status' | 'priority'>,
  isBlocked: boolean,
): Icon | vscode.ThemeIcon {
  const bucket = bucketOf(priority);
  const outline = isBlocked ? lock : ring;
  if (status === Status.inProcess) return drawn(bucket, half, outline);
  if (isBlocked) return drawn(bucket, strokesOf(bucket), lock);
  const isOpen = status === Status.needsAction && bucket !== 'none';
  return isOpen ? priorityIcon(bucket) : new vscode.ThemeIcon('blank');
}

export const priorityIcon = (bucket: PriorityBucket): Icon => drawn(bucket, strokesOf(bucket), ring);

const strokesOf = (bucket: PriorityBucket) =>
  `<path d="${strokes[bucket]}" stroke="COLOR" stroke-width="1.5" stroke-linecap="round"/>`;

function drawn(bucket: PriorityBucket, inside: string, { outline, transform }: typeof ring): Icon {
  const shape = `${outline}<g transform="${transform}">${inside}</g>`;
  const known = made.get(bucket + shape);
  if (known) return known;
  const uri = (color: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${shape.replaceAll('COLOR', color)}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
  };
  const [light, dark] = colors[bucket];
  const icon = { light: uri(light), dark: uri(dark) };
  made.set(bucket + shape, icon);
  return icon;
}
