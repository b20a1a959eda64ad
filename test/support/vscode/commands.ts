import { holds } from './when';

interface Contributes {
  readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  readonly submenus: readonly { readonly id: string; readonly label: string }[];
  readonly views: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
  readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
  readonly keybindings: readonly { readonly key: string; readonly command: string; when?: string; args?: unknown }[];
}

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

type Run = (...args: unknown[]) => unknown;

/** Context of the row or title on which a menu opens. */
export type MenuContext = Readonly<Record<string, unknown>>;

/** Commands by their ids, and the context by which menus and keys show. */
export class Commands {
  readonly #commands = new Map<string, Run>();
  readonly #context = new Map<string, unknown>([['isWorkspaceTrusted', true]]);
  /** Commands that the editor makes for each view. */
  fallback: (id: string) => Run | undefined = () => undefined;

  constructor(
    private readonly contributes: Contributes,
    private readonly setting: (name: string) => unknown,
    private readonly words: (title: string) => string,
    private readonly log: (line: string) => void,
    private readonly changed: () => void,
  ) {}

  register = (id: string, run: Run) => {
    if (this.#commands.has(id)) throw new Error(`command '${id}' already exists`);
    this.#commands.set(id, run);
    return { dispose: () => this.#commands.delete(id) };
  };

  execute = async (id: string, ...args: unknown[]): Promise<unknown> => {
    const run = this.#commands.get(id) ?? this.fallback(id);
    if (!run) throw new Error(`command '${id}' not found`);
    return run(...args);
  };

  /** A menu, a key or a link starts it like this. The end is for those who know that it asks nothing first. */
  start(id: string, ...args: unknown[]): Promise<unknown> {
    return this.execute(id, ...args).catch(error => this.log(`${id}: ${error}`));
  }

  ids = (): string[] => [...this.#commands.keys()];

  setContext = (key: string, value: unknown): void => {
    this.#context.set(key, value);
    this.changed();
  };

  context = (key: string): unknown => this.#context.get(key);

  /** Titles as the palette shows them: `Dueline: New Task`. */
  inPalette(): { readonly id: string; readonly title: string }[] {
    const hidden = new Map((this.contributes.menus.commandPalette ?? []).map(({ command, when }) => [command, when]));
    return this.contributes.commands
      .filter(({ command }) => this.#holds(hidden.get(command)))
      .map(({ command, title, category }) => ({
        id: command,
        title: [category, this.words(title)].filter(Boolean).join(': '),
      }));
  }

  /**
   * Commands and submenus of a menu, in the manifest's order, with the context of the row on which it opens; or the
   * buttons of a row (`inline`), which its menu does not have, or of a title (`navigation`).
   */
  menu(
    menu: string,
    context: MenuContext,
    kind: 'menu' | 'inline' | 'navigation' = 'menu',
  ): { readonly id: string; readonly title: string }[] {
    const { commands, menus, submenus } = this.contributes;
    const titleOf = ({ command, submenu }: MenuEntry) =>
      command ? commands.find(one => one.command === command)!.title : submenus.find(({ id }) => id === submenu)!.label;
    return (menus[menu] ?? [])
      .filter(({ group = '' }) => (kind === 'menu' ? !group.startsWith('inline') : group.startsWith(kind)))
      .filter(({ when }) => this.#holds(when, context))
      .map(entry => ({ id: (entry.command ?? entry.submenu)!, title: this.words(titleOf(entry)) }));
  }

  /** True if the manifest has the view shown now. */
  hasView(id: string): boolean {
    const view = Object.values(this.contributes.views)
      .flat()
      .find(one => one.id === id);
    return view !== undefined && this.#holds(view.when);
  }

  /** The text of a view that has no rows. */
  welcome(view: string): string {
    const found = this.contributes.viewsWelcome.filter(one => one.view === view && this.#holds(one.when));
    return found.map(({ contents }) => this.words(contents)).join('\n');
  }

  /** A key in that context: the last of its entries in the manifest that holds there. Resolves with the end of its command. */
  key(key: string, context: MenuContext): Promise<unknown> {
    const isKey = (one: Contributes['keybindings'][number]) => one.key === key && this.#holds(one.when, context);
    const found = this.contributes.keybindings.filter(isKey).at(-1);
    if (!found) throw new Error(`${key} does nothing there.`);
    return this.start(found.command, ...(found.args === undefined ? [] : [found.args]));
  }

  #holds(when: string | undefined, context: MenuContext = {}): boolean {
    if (when === undefined) return true;
    const config = Object.fromEntries(
      (when.match(/config\.[\w.]+/g) ?? []).map(name => [name, this.setting(name.slice('config.'.length))]),
    );
    return holds(when, { ...Object.fromEntries(this.#context), ...config, ...context });
  }
}
