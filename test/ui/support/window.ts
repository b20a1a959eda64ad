import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Dialog, Frame, Locator, Page } from 'playwright-core';
import { screenshotFolder } from '../../../scripts/paths';
import type { Release } from '../../../scripts/vscode/install';
import type { DuelineEngine } from '../../../src/api';
import type { ExtensionHost } from './host';
import { type Theme, themeClasses, themeName } from './themes';
import { until } from './wait';

const timeoutMs = 60_000;

/** One window of the editor: its parts as the user sees them. Tests use `page` directly for the rest. */
export class Window {
  #host: ExtensionHost | undefined;

  constructor(
    readonly page: Page,
    private readonly release: Release,
    private readonly nextHost: () => Promise<ExtensionHost>,
  ) {}

  /** Waits until the extension host answers. */
  async ready(): Promise<void> {
    this.#host = await this.nextHost();
  }

  get host(): ExtensionHost {
    if (!this.#host) throw new Error('The window is not ready.');
    return this.#host;
  }

  /** Runs a function in the extension host: `window.run(vscode => vscode.version)`. See {@link ExtensionHost.run}. */
  run: ExtensionHost['run'] = (work, ...args) => this.host.run(work, ...args);

  /** Calls Dueline's API in the extension host. */
  api = (method: keyof DuelineEngine, ...args: unknown[]) =>
    this.run(
      async (vscode, method, args) =>
        (await vscode.extensions.getExtension('dueline.dueline')!.activate())[method](...args),
      method,
      args,
    );

  /** Executes a command by id; for the user's own actions, use {@link palette} or the parts themselves. */
  command(id: string, ...args: unknown[]): Promise<unknown> {
    return this.run(
      async (vscode, id, args) => {
        const answer = await vscode.commands.executeCommand(id, ...args);
        return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
      },
      id,
      args,
    );
  }

  // Command palette and quick input

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  get quickText(): Locator {
    return this.quickInput.locator('input[type=text], input[type=password]').first();
  }

  /** Rows of the open quick pick; those with a text in them if one is given. */
  picks(text?: string | RegExp): Locator {
    return this.quickInput.locator('.monaco-list-row').filter({ hasText: text });
  }

  /** Runs the command with that label from the palette: F1 is pressed once, like each of the user's keys and clicks. */
  async palette(label: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickText.waitFor({ timeout: timeoutMs });
    await this.quickText.fill(`>${label}`);
    // A click hits no row if the list is drawn again between mousedown and mouseup; Enter runs the focused row.
    await this.picks(label).and(this.page.locator('.focused')).waitFor({ timeout: timeoutMs });
    await this.page.keyboard.press('Enter');
    // Otherwise the next text would still go into the palette, whose box the command's question takes over.
    const open = `[...document.querySelectorAll('.quick-input-widget input')].some(
      input => input.value === ${JSON.stringify(`>${label}`)} && input.checkVisibility())`;
    await until(`the end of the palette after ${label}`, timeoutMs, async () => !(await this.page.evaluate(open)));
  }

  /** Waits for an input box whose prompt, title or placeholder has the text; then types and accepts. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.asked(prompt);
    await this.quickText.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits for a quick pick, with the prompt if one is given, and takes the first row with the text. */
  async pick(text: string | RegExp, prompt?: string | RegExp): Promise<void> {
    if (prompt !== undefined) await this.asked(prompt);
    await this.picks(text).first().waitFor({ timeout: timeoutMs });
    await this.restMouse();
    await this.picks(text).first().click({ timeout: timeoutMs });
  }

  /** Runs a command that asks, and takes the row with the text. */
  async choose(command: string, text: string | RegExp): Promise<void> {
    await this.palette(command);
    await this.pick(text);
  }

  /** Moves the mouse away: a tooltip under it would cover what the test clicks next. */
  private async restMouse(): Promise<void> {
    const { width, height } = this.page.viewportSize()!;
    await this.page.mouse.move(width * 0.6, height * 0.7);
  }

  private async asked(prompt: string | RegExp): Promise<void> {
    const words = this.quickInput.getByText(prompt).or(this.quickInput.getByPlaceholder(prompt));
    await words.first().waitFor({ timeout: timeoutMs });
  }

  // Sidebar and trees

  /** Shows the view container with that title and waits for its focus: a late focus would close a question. */
  async view(title = 'Dueline'): Promise<void> {
    const tab = this.page.locator('.part.activitybar').getByRole('tab', { name: new RegExp(`^${title}`) });
    await tab.first().waitFor({ timeout: timeoutMs });
    if ((await tab.first().getAttribute('aria-selected')) === 'true') return;
    await tab.first().click();
    // The page of a view gets it some time after its frame.
    const isIn = (frame: Frame) =>
      frame.evaluate<boolean>(
        frame.parentFrame()
          ? `document.hasFocus() && document.body.classList.contains('as-sidebar')`
          : `document.activeElement?.closest('.part.sidebar .monaco-list') !== null`,
      );
    await until('the focus in the view', timeoutMs, async () =>
      (await Promise.all(this.page.frames().map(frame => isIn(frame).catch(() => false)))).includes(true),
    );
  }

  /** The pane of a view in the sidebar, by its heading. */
  pane(title: string): Locator {
    return this.page.locator('.pane').filter({ has: this.page.locator('.pane-header', { hasText: title }) });
  }

  /** Expands the view with that heading. */
  async openPane(title: string): Promise<void> {
    const header = this.pane(title).locator('.pane-header').first();
    await header.waitFor({ timeout: timeoutMs });
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  }

  /** Tree rows with the text in them. */
  rows(text?: string | RegExp): Locator {
    return this.page.locator('.pane-body .monaco-list-row').filter({ hasText: text });
  }

  /** Opens a row of a tree that is closed. */
  async expand(text: string): Promise<void> {
    const row = this.rows(text).first();
    await row.waitFor({ timeout: timeoutMs });
    if ((await row.getAttribute('aria-expanded')) === 'true') return;
    await row.click();
    await row.and(this.page.locator('[aria-expanded=true]')).waitFor({ timeout: timeoutMs });
  }

  checkbox(text: string | RegExp): Locator {
    return this.rows(text).first().locator('.custom-view-tree-node-item-checkbox');
  }

  /** Completes a task by the checkbox of its row, which then disappears. */
  async tick(text: string): Promise<void> {
    await this.checkbox(text).click({ timeout: timeoutMs });
    await this.rows(text).first().waitFor({ state: 'detached', timeout: timeoutMs });
  }

  /** Opens a row's context menu and picks from it. */
  async context(row: string | RegExp, item: string): Promise<void> {
    await this.rows(row).first().click({ button: 'right', timeout: timeoutMs });
    await this.menu(item);
  }

  /**
   * Picks from the menu that opens. The editor ignores clicks right after it has opened a menu, so that a right click takes
   * nothing; the entry below the mouse is taken by Enter. `Due › Postpone…` is an entry of a submenu.
   */
  async menu(path: string): Promise<void> {
    const menu = this.page.locator('.monaco-menu-container .monaco-menu').first();
    await menu.waitFor({ timeout: timeoutMs });
    for (const name of path.split(' › ').slice(0, -1)) await menu.getByRole('menuitem', { name, exact: true }).hover();
    const entry = menu.getByRole('menuitem', { name: path.split(' › ').at(-1)! });
    await entry.hover({ timeout: timeoutMs });
    await entry.and(this.page.locator(':focus')).waitFor({ timeout: timeoutMs });
    await this.page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached', timeout: timeoutMs });
  }

  // Status bar and notifications

  /** A status-bar item of the extension; its text is `innerText()`. */
  status(id = 'dueline'): Locator {
    return this.page.locator(`.statusbar-item[id^="${id}"]`).first();
  }

  /** A notification with the text: a toast, or an entry of the centre, which is opened if no toast shows. */
  async notification(text: string | RegExp): Promise<Locator> {
    const toast = this.page.locator('.notification-toast').filter({ hasText: text }).first();
    const entry = this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text }).first();
    if (await toast.isVisible()) return toast;
    // The bell closes the centre if it is open by then; this never does.
    await this.command('notifications.showList');
    await toast.or(entry).first().waitFor({ timeout: timeoutMs });
    return toast.or(entry).first();
  }

  /** Presses a button of a notification. */
  async press(text: string | RegExp, button: string): Promise<void> {
    const found = await this.notification(text);
    await this.restMouse();
    await found.getByRole('button', { name: button, exact: true }).click({ timeout: timeoutMs });
  }

  // Webviews

  /** The inner frame of a webview that has an element for the selector, with the text if one is given. */
  frame(selector: string, text?: string | RegExp): Promise<Frame> {
    return until(`a webview with ${selector} ${text ?? ''}`, timeoutMs, async () => {
      // A webview's page lies in a frame within a frame; each question costs milliseconds on a busy machine.
      for (const frame of this.page.frames().filter(one => one.parentFrame()?.parentFrame())) {
        const count = await frame
          .locator(selector, { hasText: text })
          .count()
          .catch(() => 0);
        if (count > 0) return frame;
      }
      return undefined;
    });
  }

  // The window itself

  /** Changes the theme at once, as the settings editor would. */
  async theme(theme: Theme): Promise<void> {
    await this.run(
      async (vscode, name) => {
        await vscode.workspace
          .getConfiguration('workbench')
          .update('colorTheme', name, vscode.ConfigurationTarget.Global);
      },
      themeName(theme, this.release),
    );
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor({ timeout: timeoutMs });
  }

  resize(width: number, height: number): Promise<void> {
    return this.page.setViewportSize({ width, height });
  }

  /** Puts a picture into test/ui/output. */
  async shot(name: string, part?: Locator): Promise<string> {
    const path = join(screenshotFolder, `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    await (part ?? this.page).screenshot({ path, animations: 'disabled', timeout: timeoutMs });
    return path;
  }

  /** A picture, if `DUELINE_PICTURES=1` asks for them. */
  async picture(name: string, part?: Locator): Promise<void> {
    if (process.env.DUELINE_PICTURES === '1') await this.shot(name, part);
  }

  /** The same picture in light, dark and high contrast, if `DUELINE_PICTURES=1` asks for it; dark stays. */
  async pictures(name: string, part?: Locator): Promise<void> {
    if (process.env.DUELINE_PICTURES !== '1') return;
    for (const theme of ['light', 'hc', 'dark'] as const) {
      await this.theme(theme);
      await this.shot(`${name}-${theme}`, part);
    }
  }

  /** After a test: a picture if it failed; then closes every question and notification. */
  async tidy(test: { title: string; state?: string } | undefined): Promise<void> {
    if (test?.state === 'failed') await this.shot(`failed-${test.title.slice(0, 40)}`);
    await this.page.keyboard.press('Escape');
    await this.command('notifications.clearAll');
  }

  /**
   * Reloads as a user does, which lets panels keep their state; waits until the new extension host answers. While the
   * editor has not backed up unsaved changes, the browser asks whether to stay, which a user does.
   */
  async reload(): Promise<void> {
    for (let stays = true; stays; ) {
      const asked = new Promise<boolean>(resolve => {
        const stay = (dialog: Dialog) => void dialog.dismiss().then(() => resolve(true));
        this.page.once('dialog', stay);
        this.page.once('load', () => {
          this.page.off('dialog', stay);
          resolve(false);
        });
      });
      await this.palette('Developer: Reload Window');
      stays = await asked;
    }
    await this.ready();
  }
}
