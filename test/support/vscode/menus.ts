import type { Changes } from './changes';
import type { Commands, MenuContext } from './commands';

interface OpenMenu {
  readonly menu: string;
  readonly context: MenuContext;
  readonly args: readonly unknown[];
}

/** The context menu that is open: of a page, or of a row of a tree. */
export class Menus {
  #open: OpenMenu | undefined;

  constructor(
    private readonly commands: Commands,
    private readonly changes: Changes,
  ) {}

  /** `context` is that of the row or title on which it opens; its commands get the arguments. */
  show(menu: string, context: MenuContext, ...args: readonly unknown[]): void {
    this.#open = { menu, context, args };
    this.changes.notify();
  }

  // The user

  escape(): void {
    this.#open = undefined;
  }

  /** Titles of the open menu, or of its submenu. */
  async titles(submenu?: string): Promise<string[]> {
    const { menu, context } = await this.#shown();
    const id = submenu === undefined ? menu : this.#entry(menu, context, submenu).id;
    return this.commands.menu(id, context).map(({ title }) => title);
  }

  /** Takes an entry; `Due › Postpone…` is one of a submenu. Does not wait for the end of its command. */
  async choose(path: string): Promise<void> {
    const { menu, context, args } = await this.#shown();
    const id = path.split(' › ').reduce((at, title) => this.#entry(at, context, title).id, menu);
    this.#open = undefined;
    this.commands.start(id, ...args);
  }

  #shown(): Promise<OpenMenu> {
    return this.changes.until('a menu', () => this.#open);
  }

  #entry(menu: string, context: MenuContext, title: string) {
    const entries = this.commands.menu(menu, context);
    const found = entries.find(one => one.title === title);
    if (!found) throw new Error(`${menu} has no ${title}, but ${entries.map(one => one.title).join(', ')}.`);
    return found;
  }
}
