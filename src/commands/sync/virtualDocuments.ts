import * as vscode from 'vscode';
import type { SyncStatus } from '../../core/sync/syncState';
import { plain, t } from '../../shared/l10n';

/** Texts of a conflict have a scheme of their own, so that the diff's buttons are shown over nothing else. */
const schemes = { conflict: 'dueline-conflict', server: 'dueline-server' } as const;

type Side = 'mine' | 'server' | 'before' | 'after' | 'copy';

const uriFor = (scheme: string, title: string, side: Side, id: string) =>
  vscode.Uri.from({
    scheme,
    path: `/${plain(title).replace(/[\\/]/g, '-') || '·'}.ics`,
    query: new URLSearchParams({ side, id }).toString(),
  });

/** Read-only iCalendar texts of tasks: unsent versions, dropped versions, and the server's versions. */
export class SyncDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #owned: vscode.Disposable;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changes.event;

  constructor(private readonly syncing: SyncStatus) {
    this.#owned = vscode.Disposable.from(
      ...Object.values(schemes).map(scheme => vscode.workspace.registerTextDocumentContentProvider(scheme, this)),
      this.#changes,
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const id = query.get('id') ?? '';
    const side = query.get('side') as Side;
    switch (side) {
      case 'mine':
      case 'server':
        return this.syncing.conflicts().find(one => one.id === id)?.[side] ?? '';
      case 'before':
      case 'after':
        return (await this.syncing.pendingText(Number(id)))[side];
      default: {
        const { text, isCurrent } = await this.syncing.serverCopy(Number(id));
        return isCurrent ? text : `${t('The server cannot be reached. Last known version:')}\n\n${text}`;
      }
    }
  }

  async openConflict(id: string): Promise<void> {
    const conflict = this.syncing.conflicts().find(one => one.id === id);
    if (!conflict) return;
    const { title, files } = conflict;
    // The buttons of a conflict speak of the server.
    if (files) return this.openDuplicate(id, [plain(files.mine), plain(files.server)]);
    await this.#diff(
      uriFor(schemes.conflict, title, 'mine', id),
      uriFor(schemes.conflict, title, 'server', id),
      t('{0}: Yours ↔ Server', plain(title)),
    );
  }

  /** Both copies of a task that is in two lists, without the buttons of a conflict. */
  async openDuplicate(id: string, [first, second]: readonly [string, string]): Promise<void> {
    const conflict = this.syncing.conflicts().find(one => one.id === id);
    if (!conflict) return;
    const { title } = conflict;
    await this.#diff(
      uriFor(schemes.server, title, 'mine', id),
      uriFor(schemes.server, title, 'server', id),
      t('{0}: {1} ↔ {2}', plain(title), first, second),
    );
  }

  async openPending(taskId: number, title: string): Promise<void> {
    const [before, after] = [
      uriFor(schemes.server, title, 'before', String(taskId)),
      uriFor(schemes.server, title, 'after', String(taskId)),
    ];
    this.#changes.fire(before);
    this.#changes.fire(after);
    await this.#diff(before, after, t('{0}: Server ↔ Pending Change', plain(title)));
  }

  async openServerCopy(taskId: number, title: string): Promise<void> {
    const uri = uriFor(schemes.server, title, 'copy', String(taskId));
    this.#changes.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #diff(left: vscode.Uri, right: vscode.Uri, title: string): Thenable<unknown> {
    return vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }
}

/** The conflict whose diff an editor's button belongs to. */
export const conflictIdOf = (target: unknown): string | undefined => {
  if (typeof target === 'string') return target;
  return target instanceof vscode.Uri && target.scheme === schemes.conflict
    ? (new URLSearchParams(target.query).get('id') ?? undefined)
    : undefined;
};

/** Closes the diff of a conflict whose question was answered. */
export async function closeDiffOf(id: string): Promise<void> {
  const isOurs = ({ scheme }: vscode.Uri) => scheme === schemes.conflict || scheme === schemes.server;
  const isIt = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputTextDiff &&
    isOurs(input.modified) &&
    new URLSearchParams(input.modified.query).get('id') === id;
  // It is not an error if the user closes it at that moment.
  await vscode.window.tabGroups
    .close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isIt)))
    .then(undefined, () => false);
}
