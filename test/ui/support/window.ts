import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { screenshotFolder } from '../../../scripts/paths.mjs';
import type { ExtensionHost } from './host';
import { type Theme, themeClasses, themeNames } from './themes';
import { until } from './wait';

const timeoutMs = 60_000;

/** One window of the editor: its parts as a person sees them. What is not here is done on `page` directly. */
export class Window {
  #host: ExtensionHost | undefined;

  constructor(
    readonly page: Page,
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

  /** Executes a command by id; for what a person does, use {@link palette} or the parts themselves. */
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

  /** Rows of the open quick pick; those with a text in them where one is given. */
  picks(text?: string | RegExp): Locator {
    return this.quickInput.locator('.monaco-list-row').filter({ hasText: text });
  }

  /**
   * Runs the command with that label from the palette. F1 can be swallowed while focus moves, and what takes the focus
   * late closes the palette again: it is opened again until the command's row was clicked. Each try waits longer than the
   * one before, since a busy machine is slow at all of them.
   */
  async palette(label: string): Promise<void> {
    const row = this.picks(label).first();
    let turn = 0;
    await until(`the command ${label} in the palette`, timeoutMs, async () => {
      turn += 1;
      await this.page.keyboard.press('F1');
      await this.quickText.waitFor({ timeout: 1500 * turn });
      await this.quickText.fill(`>${label}`, { timeout: 2000 * turn });
      await row.waitFor({ timeout: 8000 });
      return row.click({ timeout: 3000 * turn }).then(() => true);
    });
  }

  /** Waits for an input box whose prompt, title or placeholder has the text; then types and accepts. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.asked(prompt);
    await this.quickText.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits for a quick pick, with the prompt where one is given, and takes the first row with the text. */
  async pick(text: string | RegExp, prompt?: string | RegExp): Promise<void> {
    if (prompt !== undefined) await this.asked(prompt);
    await this.picks(text).first().waitFor({ timeout: timeoutMs });
    await this.restMouse();
    await this.picks(text).first().click({ timeout: timeoutMs });
  }

  /**
   * Runs a command that asks, and takes the row with the text. What takes the focus late closes the question: it is
   * asked again until the row was taken.
   */
  async choose(command: string, text: string | RegExp): Promise<void> {
    await until(`${text} to be picked in ${command}`, timeoutMs, async () => {
      await this.palette(command);
      await this.picks(text).first().waitFor({ timeout: 10_000 });
      await this.restMouse();
      return this.picks(text)
        .first()
        .click({ timeout: 3000 })
        .then(() => true);
    });
  }

  /** A mouse that rests where something came up has that thing's words shown, over what is to be clicked. */
  private async restMouse(): Promise<void> {
    const { width, height } = this.page.viewportSize()!;
    await this.page.mouse.move(width * 0.6, height * 0.7);
  }

  /** Ticks rows of a quick pick that takes several, and accepts. */
  async pickMany(...texts: string[]): Promise<void> {
    for (const text of texts) {
      const box = this.picks(text).first().locator('.quick-input-list-checkbox, input, .monaco-checkbox').first();
      await box.click({ timeout: timeoutMs });
    }
    await this.quickInput.getByRole('button', { name: 'OK' }).click();
  }

  private async asked(prompt: string | RegExp): Promise<void> {
    const words = this.quickInput.getByText(prompt).or(this.quickInput.getByPlaceholder(prompt));
    await words.first().waitFor({ timeout: timeoutMs });
  }

  // Sidebar and trees

  /** Shows the view container with that title. */
  async view(title = 'Dueline'): Promise<void> {
    const tab = this.page.locator('.part.activitybar').getByRole('tab', { name: new RegExp(`^${title}`) });
    await tab.first().waitFor({ timeout: timeoutMs });
    if ((await tab.first().getAttribute('aria-selected')) !== 'true') await tab.first().click();
  }

  /** The pane of a view in the sidebar, by its heading. */
  pane(title: string): Locator {
    return this.page.locator('.pane').filter({ has: this.page.locator('.pane-header', { hasText: title }) });
  }

  /** Tree rows with the text in them. */
  rows(text?: string | RegExp): Locator {
    return this.page.locator('.pane-body .monaco-list-row').filter({ hasText: text });
  }

  /** Opens a row of a tree, where nothing else has opened it or does so meanwhile: a click would close it again. */
  async expand(text: string): Promise<void> {
    const row = this.rows(text).first();
    const isOpen = async () => (await row.getAttribute('aria-expanded')) === 'true';
    await until(`${text} to be open`, timeoutMs, async () => {
      if (await isOpen()) return true;
      await row.click();
      await this.page.waitForTimeout(500);
      return isOpen();
    });
  }

  checkbox(text: string | RegExp): Locator {
    return this.rows(text).first().locator('.custom-view-tree-node-item-checkbox');
  }

  /** Completes a task by the checkbox of its row, which goes then; again where the tree was redrawn under the click. */
  async tick(text: string): Promise<void> {
    const row = this.rows(text).first();
    await row.waitFor({ timeout: timeoutMs });
    await until(`${text} to be ticked`, timeoutMs, async () => {
      if ((await row.count()) === 0) return true;
      const box = this.checkbox(text);
      if ((await box.getAttribute('aria-checked', { timeout: 2000 })) !== 'true') await box.click({ timeout: 5000 });
      return row.waitFor({ state: 'detached', timeout: 5000 }).then(() => true);
    });
  }

  /** An inline action of a row; it shows on hover. */
  async inline(row: string | RegExp, action: string): Promise<void> {
    await this.rows(row).first().hover();
    await this.rows(row).first().getByRole('button', { name: action }).click();
  }

  /** Opens a row's context menu and picks from it; a menu that closes by itself, as the tree is redrawn, is opened again. */
  async context(row: string | RegExp, item: string): Promise<void> {
    await until(`${item} from the menu of ${row}`, timeoutMs, async () => {
      await this.#openContext(row);
      // A tree that is being redrawn can put another row under the mouse.
      const classes = await this.rows(row).first().getAttribute('class', { timeout: 5000 });
      return /focused|selected/.test(classes ?? '') && this.#take(item);
    });
  }

  /** A row's context menu with a submenu open that has the entry; opened again where it closes by itself. */
  async openSubmenu(row: string | RegExp, submenu: string, item: string): Promise<Locator> {
    const menu = this.page.locator('.monaco-menu-container .monaco-menu').first();
    await until(`${submenu} in the menu of ${row}`, timeoutMs, async () => {
      await this.#openContext(row);
      await menu.getByRole('menuitem', { name: submenu, exact: true }).hover({ timeout: 2000 });
      return menu
        .getByRole('menuitem', { name: item })
        .waitFor({ timeout: 5000 })
        .then(() => true);
    });
    return menu;
  }

  /** A row's menu entry that asks, and the answer; asked again where what takes the focus late closed the question. */
  async chooseFor(row: string | RegExp, item: string, text: string | RegExp): Promise<void> {
    await until(`${text} to be picked in ${item}`, timeoutMs, async () => {
      await this.context(row, item);
      await this.picks(text).first().waitFor({ timeout: 10_000 });
      await this.restMouse();
      await this.picks(text).first().click({ timeout: 5000 });
      return true;
    });
  }

  async #openContext(row: string | RegExp): Promise<void> {
    const menu = this.page.locator('.monaco-menu-container .monaco-menu').last();
    // One that is still open from the try before lies over the rows.
    if ((await menu.count()) > 0) {
      await this.page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached', timeout: 5000 });
    }
    await this.rows(row).first().click({ button: 'right', timeout: 5000 });
    await menu.waitFor({ timeout: 5000 });
  }

  /** Picks from the menu that opens. */
  async menu(item: string): Promise<void> {
    await this.page.locator('.monaco-menu-container .monaco-menu').last().waitFor({ timeout: timeoutMs });
    await this.#take(item);
  }

  /**
   * Clicks right after a menu opens are ignored: they are repeated until it goes. False where it went before one of them.
   * `Due › Postpone…` is an entry of a submenu.
   */
  async #take(path: string): Promise<boolean> {
    const menu = this.page.locator('.monaco-menu-container .monaco-menu').first();
    const [item = '', submenu] = path.split(' › ').reverse();
    let isTaken = false;
    await until(`the menu with ${item} to close`, timeoutMs, async () => {
      await this.page.waitForTimeout(150);
      if ((await menu.count()) === 0) return true;
      if (submenu) await menu.getByRole('menuitem', { name: submenu, exact: true }).hover({ timeout: 2000 });
      const click = menu.getByRole('menuitem', { name: item }).click({ timeout: 2000 });
      isTaken = await click.then(
        () => true,
        () => isTaken,
      );
      return menu.waitFor({ state: 'detached', timeout: 700 }).then(() => true);
    });
    return isTaken;
  }

  // Status bar and notifications

  /** A status-bar item of the extension; its text is `innerText()`. */
  status(id = 'dueline'): Locator {
    return this.page.locator(`.statusbar-item[id^="${id}"]`).first();
  }

  /** A notification with the text: a toast, or an entry of the centre, which is opened where no toast shows. */
  async notification(text: string | RegExp): Promise<Locator> {
    const found = this.page
      .locator('.notification-toast, .notifications-center .notification-list-item')
      .filter({ hasText: text })
      .first();
    await until(`a notification with ${text}`, timeoutMs, async () => {
      if (await found.isVisible()) return true;
      const centre = this.page.locator('.notifications-center');
      if (!(await centre.isVisible())) await this.page.locator('#status\\.notifications a').click({ timeout: 2000 });
      return found.waitFor({ timeout: 1000 }).then(() => true);
    });
    return found;
  }

  /** Presses a button of a notification; of one that goes into the centre meanwhile, there. */
  async press(text: string | RegExp, button: string): Promise<void> {
    await until(`${button} below ${text}`, timeoutMs, async () => {
      const found = await this.notification(text);
      await this.restMouse();
      await found.getByRole('button', { name: button, exact: true }).click({ timeout: 5000 });
      return true;
    });
  }

  // Webviews

  /** The inner frame of a webview that has an element for the selector, with the text where one is given. */
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
    await this.run(async (vscode, name) => {
      await vscode.workspace
        .getConfiguration('workbench')
        .update('colorTheme', name, vscode.ConfigurationTarget.Global);
    }, themeNames[theme]);
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

  /** A picture, where `DUELINE_PICTURES=1` asks for them. */
  async picture(name: string, part?: Locator): Promise<void> {
    if (process.env.DUELINE_PICTURES === '1') await this.shot(name, part);
  }

  /** The same picture in light, dark and high contrast, where `DUELINE_PICTURES=1` asks for it; dark stays. */
  async pictures(name: string, part?: Locator): Promise<void> {
    if (process.env.DUELINE_PICTURES !== '1') return;
    for (const theme of ['light', 'hc', 'dark'] as const) {
      await this.theme(theme);
      await this.shot(`${name}-${theme}`, part);
    }
  }

  /** After a test: a picture where it failed; then nothing is open that asks or tells something. */
  async tidy(test: { title: string; state?: string } | undefined): Promise<void> {
    if (test?.state === 'failed') await this.shot(`failed-${test.title.slice(0, 40)}`);
    await this.page.keyboard.press('Escape');
    await this.command('notifications.clearAll');
  }

  /** Reloads as a person does, which lets panels keep their state; waits until the new extension host answers. */
  async reload(): Promise<void> {
    await this.palette('Developer: Reload Window');
    await this.ready();
  }
}
