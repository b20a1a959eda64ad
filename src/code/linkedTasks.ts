import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { type AnchoredTask, anchorsOf, type FileLink, type TaskAnchor } from '../core/code/anchors';
import { hashedPath, plainPath } from '../core/code/repository';
import type { Id } from '../core/kernel/model';
import { pathIn, type WorkingCopies, type WorkingCopy } from './workingCopies';

type Engine = Pick<DuelineEngine, 'anchored' | 'fileLinks' | 'onDidChange' | 'setCodeLocations' | 'task'>;

/**
 * The code locations of tasks: their anchors, and their links to files of working copies that are known here, read as
 * anchors without a fingerprint. A link to a file that the task has an anchor in is no location of its own.
 */
export class LinkedTasks {
  readonly #uris = new Map<string, vscode.Uri>();
  #links: ReturnType<Engine['fileLinks']> | undefined;
  #copies: readonly WorkingCopy[] = [];
  #byTask: ReadonlyMap<Id, readonly TaskAnchor[]> = new Map();

  constructor(
    private readonly engine: Engine,
    private readonly copies: Pick<WorkingCopies, 'known'>,
  ) {}

  get onDidChange(): Engine['onDidChange'] {
    return this.engine.onDidChange;
  }

  setCodeLocations: Engine['setCodeLocations'] = locations => this.engine.setCodeLocations(locations);

  anchored(repo?: string): readonly AnchoredTask[] {
    const links = [...this.#linked()].flatMap(([task, anchors]) =>
      anchors.filter(anchor => repo === undefined || anchor.repo === repo).map(anchor => ({ task, anchor })),
    );
    const all = this.engine.anchored(repo);
    return links.length === 0 ? all : [...all, ...links];
  }

  /** Links of a task that are read as anchors. */
  linksOf = (task: Id): readonly TaskAnchor[] => this.#linked().get(task) ?? [];

  isInNotes = (task: Id, { source }: TaskAnchor): boolean =>
    this.linksOf(task).some(link => link.source === source) && this.engine.task(task)?.url !== source;

  #linked(): ReadonlyMap<Id, readonly TaskAnchor[]> {
    const links = this.engine.fileLinks();
    const copies = this.copies.known();
    if (
      links === this.#links &&
      copies.length === this.#copies.length &&
      copies.every((copy, at) => copy === this.#copies[at])
    )
      return this.#byTask;
    [this.#links, this.#copies] = [links, copies];
    const byTask = new Map<Id, TaskAnchor[]>();
    for (const { task, link } of links) {
      const anchor = this.#anchorOf(task, link);
      if (anchor) byTask.set(task, [...(byTask.get(task) ?? []), anchor]);
    }
    this.#byTask = byTask;
    return byTask;
  }

  #anchorOf(id: Id, { source, uri, line }: FileLink): TaskAnchor | undefined {
    const file = this.#parsed(uri);
    const copy = file && copyOf(file, this.#copies);
    const task = copy && this.engine.task(id);
    if (!task) return undefined;
    const path = pathIn(copy, file);
    const names = copy.names.map(({ id }) => id);
    const written = [plainPath(path), ...copy.names.map(name => hashedPath(name, path))];
    const hasAnchor = anchorsOf(task).some(anchor => names.includes(anchor.repo) && written.includes(anchor.path));
    return hasAnchor
      ? undefined
      : { source, repo: copy.names[0].id, path: plainPath(path), ...(line === undefined ? {} : { line }) };
  }

  /** Undefined for text that only looks like an address. */
  #parsed(text: string): vscode.Uri | undefined {
    const known = this.#uris.get(text);
    if (known) return known;
    try {
      const uri = vscode.Uri.parse(text);
      this.#uris.set(text, uri);
      return uri;
    } catch {
      return undefined;
    }
  }
}

/** The innermost that has the file. */
function copyOf(file: vscode.Uri, copies: readonly WorkingCopy[]): WorkingCopy | undefined {
  const enclosing = copies.filter(
    ({ root }) =>
      root.scheme === file.scheme &&
      root.authority === file.authority &&
      file.path.startsWith(root.path.replace(/\/?$/, '/')),
  );
  return enclosing.sort((a, b) => b.root.path.length - a.root.path.length)[0];
}
