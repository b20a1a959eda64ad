import * as vscode from 'vscode';
import type { WidgetKind } from '../../query/agenda/widgets';
import { currentLanguage } from '../../shared/l10n';
import { directionOf } from '../../shared/language';

type PageKind = WidgetKind | 'task' | 'conflict' | 'whatsNew';

/** Lines on 16 by 16 pixels. */
const drawings: Readonly<Record<PageKind, string>> = {
  today: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v1.5M10.5 2v1.5M7 10a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  upNext: 'M2.5 8h11M9.5 4l4 4-4 4',
  lists: 'M2.5 4h1M2.5 8h1M2.5 12h1M6 4h7.5M6 8h7.5M6 12h7.5',
  week: 'M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9',
  month: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.2 3v10M9.8 3v10',
  board: 'M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z',
  tasks: 'M2.5 5a2 2 0 1 0 4 0 2 2 0 1 0-4 0M9 5h4.5M2.5 11a2 2 0 1 0 4 0 2 2 0 1 0-4 0M9 11h4.5',
  done: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM5.3 8.2l1.9 1.9 3.5-4.1',
  task: 'M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2.5',
  conflict: 'M8 2.5 14 13H2zM8 6.3v3.4M8 11.4v.1',
  whatsNew: 'M8 2.5l1.7 3.6 3.9.5-2.9 2.7.8 3.9L8 11.3l-3.5 1.9.8-3.9-2.9-2.7 3.9-.5z',
};

/** The icon of a page's tab. Tabs neither tint their icons, as the activity bar does, nor turn them around. */
export function tabIcon(kind: PageKind): { light: vscode.Uri; dark: vscode.Uri } {
  // A tick is the same in both directions.
  const isTurned = directionOf(currentLanguage()) === 'rtl' && kind !== 'done';
  const turn = isTurned ? ' transform="matrix(-1 0 0 1 16 0)"' : '';
  const icon = (color: string) => {
    const look = `fill="none" stroke="${color}" stroke-width="1.2" stroke-linecap="round" stroke-linejoin="round"`;
    const path = `<path d="${drawings[kind]}"${turn}/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" ${look}>${path}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
  };
  return { light: icon('#424242'), dark: icon('#c5c5c5') };
}
