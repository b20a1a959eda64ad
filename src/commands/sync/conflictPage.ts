import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { LostField, Resolution, SyncConflict, SyncStatus } from '../../core/sync/syncState';
import { currentLanguage, isVisible, plain, t } from '../../shared/l10n';
import { showError } from '../../ui/errors';
import { dateStyle } from '../../ui/settings/settings';
import { momentLabel, stampLabel } from '../../ui/text/dateText';
import { answerHtml, escaped, pageOptions } from '../../views/webview/page';
import { tabIcon } from '../../views/webview/tabIcon';
import { pageDirection } from '../../views/widgets/widgetView';
import { fieldName, valueText } from '../common/fieldText';
import { conflictReason } from './conflictText';
import { versionWords } from './conflictVersions';

/** The user's choice on the page. */
export type ConflictAnswer = Resolution | readonly Resolution[] | 'compare' | 'delete';

/** Both versions of a task in a tab, field by field. */
export class ConflictPages implements vscode.Disposable {
  readonly #open = new Map<string, { readonly panel: vscode.WebviewPanel; readonly isOfRow: boolean }>();
  readonly #watching: vscode.Disposable;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly syncing: SyncStatus,
    private readonly extensionUri: vscode.Uri,
    private readonly answer: (conflict: SyncConflict, answer: ConflictAnswer) => Promise<void>,
  ) {
    this.#watching = syncing.onDidChangeState(() => this.#closeResolved());
  }

  /** `isOfRow`: of a row of a tree, which has the focus again once the conflict is resolved. */
  open(conflict: SyncConflict, isOfRow: boolean): void {
    const known = this.#open.get(conflict.id);
    if (known) {
      known.panel.reveal();
      return;
    }
    const title = t('Conflict: {0}', titleOf(conflict));
    const options = { ...pageOptions(this.extensionUri), enableFindWidget: true };
    const panel = vscode.window.createWebviewPanel('dueline.conflict', title, vscode.ViewColumn.Active, options);
    panel.iconPath = tabIcon('conflict');
    this.#open.set(conflict.id, { panel, isOfRow });
    panel.onDidDispose(() => this.#open.delete(conflict.id));
    panel.webview.onDidReceiveMessage(message => {
      const answer = readAnswer(message, conflict);
      if (answer) void this.answer(conflict, answer).catch(showError);
    });
    panel.webview.html = answerHtml(panel.webview, this.extensionUri, {
      title,
      language: currentLanguage(),
      direction: pageDirection(),
      script: 'conflict',
      styles: ['article', 'conflict'],
      body: body(this.engine, conflict),
    });
  }

  dispose(): void {
    this.#watching.dispose();
  }

  /** Closes the pages of conflicts that are resolved, even if they were resolved elsewhere. */
  #closeResolved(): void {
    const left = new Set(this.syncing.conflicts().map(({ id }) => id));
    for (const [id, { panel, isOfRow }] of [...this.#open]) {
      if (left.has(id)) continue;
      const goesBack = isOfRow && panel.active;
      panel.dispose();
      if (goesBack) void vscode.commands.executeCommand('workbench.action.focusSideBar');
    }
  }
}

const titleOf = ({ title }: SyncConflict) => (isVisible(title) ? plain(title) : t('(no title)'));

const hasChoice = ({ reason, lost }: SyncConflict) =>
  (reason === 'edited' || reason === 'merged' || reason === 'copy') && lost.length > 0;

function readAnswer(message: unknown, conflict: SyncConflict): ConflictAnswer | undefined {
  const { act, fields } = (message ?? {}) as { act?: unknown; fields?: unknown };
  if (act === 'apply' && Array.isArray(fields) && fields.length === conflict.lost.length)
    return fields.map(one => (one === 'mine' || one === 'both' ? one : 'server'));
  return act === 'mine' || act === 'server' || act === 'both' || act === 'compare' || act === 'delete'
    ? act
    : undefined;
}

function body(engine: DuelineEngine, conflict: SyncConflict): string {
  const list = engine.lists().find(({ id }) => id === conflict.listId);
  const facts = [plain(list?.name ?? ''), stampLabel(conflict.at, dateStyle(engine))].filter(Boolean);
  const state =
    conflict.reason === 'edited' || conflict.reason === 'readOnly'
      ? t('Your version was not sent; the server’s is shown.')
      : '';
  const reason = conflict.reason === 'edited' ? t('Changed here and on the server') : conflictReason(conflict);
  return `<main><form>
<h1><bdi>${escaped(titleOf(conflict))}</bdi></h1>
<p>${escaped([reason.replace(/\.$/, ''), state].filter(Boolean).join('. '))}</p>
<p class="note">${facts.map(fact => `<bdi>${escaped(fact)}</bdi>`).join(' · ')}</p>
${hasChoice(conflict) ? fieldsHtml(engine, conflict) : ''}
<p class="acts">${buttonsOf(conflict).join('')}</p>
</form></main>`;
}

const button = (act: string, label: string, kind = '') =>
  `<button type="button" class="${kind}" data-act="${act}">${escaped(label)}</button>`;

function buttonsOf(conflict: SyncConflict): string[] {
  const compare = conflict.mine && conflict.server ? [button('compare', t('Compare as Text'), 'link')] : [];
  const { use } = versionWords(conflict);
  if (hasChoice(conflict)) {
    const apply = `<button class="main">${escaped(t('Apply'))}</button>`;
    return [apply, button('both', t('Keep Both as Separate Tasks')), ...compare];
  }
  switch (conflict.reason) {
    case 'recreated':
      return [button('server', t('Keep Task'), 'main'), button('delete', t('Delete Task')), ...compare];
    case 'keptDeleted':
      return [button('server', t('Keep Task'), 'main'), button('mine', t('Delete Task')), ...compare];
    case 'readOnly':
      return [button('server', use.server, 'main'), button('both', t('Keep Both as Separate Tasks')), ...compare];
    default:
      return [
        button('mine', use.mine, 'main'),
        button('server', use.server),
        button('both', t('Keep Both as Separate Tasks')),
        ...compare,
      ];
  }
}

function fieldsHtml(engine: DuelineEngine, conflict: SyncConflict): string {
  const all = (side: string, label: string) => `<button type="button" data-side="${side}">${escaped(label)}</button>`;
  const fields = conflict.lost.map((lost, at) => fieldHtml(engine, conflict, lost, at));
  const { useForAll } = versionWords(conflict);
  return `<p class="acts">${all('mine', useForAll.mine)}${all('server', useForAll.server)}</p>
${fields.join('\n')}`;
}

function fieldHtml(engine: DuelineEngine, conflict: SyncConflict, lost: LostField, at: number): string {
  const { taskId } = conflict;
  const { sides } = versionWords(conflict);
  const { field, occurrence, both } = lost;
  const task = engine.task(taskId);
  const day = occurrence === undefined ? '' : ` · ${momentLabel(occurrence, task ?? allDay, dateStyle(engine))}`;
  const name = fieldName(lost.field);
  const version = (side: Resolution, label: string, values: LostField['mine']) =>
    `<label class="version"><input type="radio" name="field${at}" id="field${at}-${side}" value="${side}"${
      side === 'server' ? ' checked' : ''
    }><span class="side">${escaped(label)}</span><span class="value" dir="auto">${escaped(
      valueText(engine, field, values),
    )}</span></label>`;
  return `<fieldset><legend>${escaped(name.charAt(0).toLocaleUpperCase(currentLanguage()) + name.slice(1) + day)}</legend>
${version('mine', sides.mine, lost.mine)}
${version('server', sides.server, lost.server)}
${both ? version('both', t('Both'), both) : ''}</fieldset>`;
}

const allDay = { isAllDay: true, timezone: null };
