import type { Range } from '../../src/core/kernel/range';
import type { FromPage } from '../../src/shared/readFromPage';
import type { ToPage } from '../../src/shared/widgetProtocol';

export const vscodeApi = acquireVsCodeApi();

export const post = (message: FromPage) => vscodeApi.postMessage(message);

export function listen(onMessage: (message: ToPage) => void): void {
  window.addEventListener('message', event => onMessage(event.data as ToPage));
}

/** The state of the page while it is thrown away: nothing of the tasks themselves. */
interface Remembered {
  /** Groups whose fold differs from what they start with. */
  readonly open?: readonly string[];
  /** True if the unscheduled tasks are shown next to the days; pages have kept it under this name. */
  readonly tray?: boolean;
  /** Text that was typed and not added yet. */
  readonly draft?: string;
  /** The ranges of words in it that stay plain text. */
  readonly keptAt?: readonly Range[];
  /** The value that the host wants back after a reload. */
  readonly setup?: unknown;
}

export const remembered = () => (vscodeApi.getState() ?? {}) as Remembered;
export const remember = (state: Remembered) => vscodeApi.setState(state);

let requests = 0;
export const nextRequest = () => ++requests;
