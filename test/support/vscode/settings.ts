import type * as vscode from 'vscode';
import { EventEmitter } from './values';

type Layer = Map<string, unknown>;
const [global, workspace] = [1, 2];

/** Settings in two layers above the defaults of the manifest, by their full names. */
export class Settings {
  readonly #layers = new Map<number, Layer>([
    [global, new Map()],
    [workspace, new Map()],
  ]);
  readonly #changed = new EventEmitter<vscode.ConfigurationChangeEvent>();
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly declared: ReadonlyMap<string, { readonly default?: unknown; readonly scope?: string }>,
    values: Readonly<Record<string, unknown>> = {},
  ) {
    for (const [name, value] of Object.entries(values)) this.#layers.get(global)!.set(name, value);
  }

  of = (section = ''): vscode.WorkspaceConfiguration => {
    const full = (name: string) => (section === '' ? name : `${section}.${name}`);
    return {
      get: (name: string, otherwise?: unknown) => this.value(full(name)) ?? otherwise,
      has: (name: string) => this.value(full(name)) !== undefined,
      inspect: (name: string) => ({
        key: full(name),
        defaultValue: this.declared.get(full(name))?.default,
        globalValue: this.#layers.get(global)!.get(full(name)),
        workspaceValue: this.#layers.get(workspace)!.get(full(name)),
      }),
      update: async (name: string, value: unknown, target?: number | boolean) =>
        this.update(full(name), value, target === true || target === global ? global : workspace),
    } as unknown as vscode.WorkspaceConfiguration;
  };

  value(name: string): unknown {
    const values = [workspace, global].map(layer => this.#layers.get(layer)!.get(name));
    // The editor gives a frozen copy.
    return structuredClone(values.find(value => value !== undefined) ?? this.declared.get(name)?.default);
  }

  update(name: string, value: unknown, layer = global): void {
    if (layer === workspace && this.declared.get(name)?.scope === 'application')
      throw new Error(
        `Unable to write ${name} to Workspace Settings. This setting can be written only into User settings.`,
      );
    const target = this.#layers.get(layer)!;
    if (JSON.stringify(target.get(name)) === JSON.stringify(value)) return;
    if (value === undefined) target.delete(name);
    else target.set(name, structuredClone(value));
    const affectsConfiguration = (section: string) =>
      `${name}.`.startsWith(`${section}.`) || section.startsWith(`${name}.`);
    this.#changed.fire({ affectsConfiguration });
  }

  /** The settings as they were at first. */
  reset(): void {
    for (const [layer, values] of this.#layers)
      for (const name of [...values.keys()]) this.update(name, undefined, layer);
  }
}
