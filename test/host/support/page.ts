import * as vscode from 'vscode';
import type { DuelineEngine, WidgetKind } from '../../../src/api';
import type { EpochMs, Id } from '../../../src/core/kernel/model';
import { TaskSelection } from '../../../src/ui/selection';
import { TaskPanel } from '../../../src/views/taskEditor/taskPanel';
import { widgetContent } from '../../../src/views/widgets/content';
import { RowCache } from '../../../src/views/widgets/rowView';
import { readSetup } from '../../../src/views/widgets/setup';
import { WidgetHost } from '../../../src/views/widgets/widgetHost';
import { eventually } from './api';

const html = `<script>
  const api = acquireVsCodeApi();
  addEventListener('message', ({ data }) => api.postMessage(data.say ?? { type: 'heard', data }));
  api.postMessage({ type: 'ready' });
</script>`;

const announce = () => {};

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** A page that sends what the test asks for, and reports the messages of its host. */
class TestPage {
  readonly heard: Message[] = [];
  readonly log = vscode.window.createOutputChannel('Test', { log: true });
  readonly panel = vscode.window.createWebviewPanel('test', 'Test', vscode.ViewColumn.Active, { enableScripts: true });

  constructor() {
    this.panel.webview.onDidReceiveMessage(({ type, data }) => type === 'heard' && this.heard.push(data));
  }

  async open(): Promise<void> {
    this.panel.webview.html = html;
    await this.hears('show');
  }

  send(message: object): void {
    void this.panel.webview.postMessage({ say: message });
  }

  /** The next message of that type which is about all of this. */
  hears(type: string, about: object = {}): Promise<Message> {
    const parts = Object.entries(about);
    return eventually(`${type} ${JSON.stringify(about)}`, () =>
      this.heard.find(one => one.type === type && parts.every(([key, value]) => one[key] === value)),
    );
  }

  end(): void {
    this.panel.dispose();
    this.log.dispose();
  }
}

export async function formPage(engine: DuelineEngine, taskId: Id, occurrence: EpochMs | null = null) {
  const page = new TestPage();
  new TaskPanel(
    { engine, log: page.log, announce },
    page.panel,
    { taskId, occurrence },
    { retitle: () => {}, forget: () => {} },
  );
  await page.open();
  return page;
}

export async function widgetPage(engine: DuelineEngine, kind: WidgetKind, choices: object = {}) {
  const page = new TestPage();
  const rows = new RowCache();
  let setup = readSetup(kind, choices);
  const host = new WidgetHost(
    { engine, log: page.log, selection: new TaskSelection(), announce },
    page.panel.webview,
    () => true,
    () => widgetContent(engine, setup, true, rows),
    {
      current: () => setup,
      change: async change => {
        setup = { ...setup, ...change };
        host.update();
      },
      focus: () => {},
    },
  );
  page.panel.onDidDispose(() => host.dispose());
  await page.open();
  return { page, setup: () => setup };
}
