import type { FromPage } from '../../src/shared/readFromPage';
import type { Range, ToPage } from '../../src/shared/widgetProtocol';

export const vscodeApi = acquireVsCodeApi();

export const post = (message: FromPage) => vscodeApi.postMessage(message);

export function listen(onMessage: (message: ToPage) => void): void {
  window.addEventListener('message', event => onMessage(event.data as ToPage));
}

/** What the page remembers while it is thrown away: nothing of the tasks themselves. */
interface Remembered {
  /** Groups whose fold differs from what they start with. */
  readonly open?: readonly string[];
  /** Whether tasks without a day are shown beside the days. */
  readonly tray?: boolean;
  /** What was typed and not added yet. */
  readonly draft?: string;
  /** Where words of it are that are to stay words. */
  readonly keptAt?: readonly Range[];
  /** What the host wants back after a reload. */
  readonly setup?: unknown;
}

export const remembered = () => (vscodeApi.getState() ?? {}) as Remembered;
export const remember = (state: Remembered) => vscodeApi.setState(state);

let requests = 0;
export const nextRequest = () => ++requests;
