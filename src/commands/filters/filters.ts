import * as vscode from 'vscode';
import type { FilterTarget } from '../../contributions/commandTargets';
import type { SavedFilter } from '../../core/kernel/settings';
import { brief, isolate, plain, t, withoutIcons } from '../../shared/l10n';
import { filterById } from '../../ui/builtInFilters';
import { showInputBox, showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { changeSetting } from '../../ui/settings/changeSetting';
import { savedFilters, wholeFilters } from '../../ui/settings/settings';
import type { ViewController } from '../../ui/viewController';
import { defaultSetup } from '../../views/widgets/setup';
import { askQuery, isQuery } from '../common/askQuery';
import { applyPlan } from '../common/changePlan';
import { planSplit } from '../tasks/tagPlan';

export const savedFilterCommands = (
  { commands, engine }: CommandServices,
  viewController: ViewController,
): vscode.Disposable => {
  const pinOrUnpin = async (target?: FilterTarget) => {
    const filter = await filterFor(target, t('Select a filter to pin or unpin'));
    if (filter)
      await change(filters => filters.map(one => (one.id === filter.id ? { ...one, pinned: !one.pinned } : one)));
  };
  return vscode.Disposable.from(
    commands.on('dueline.filter.apply', async () => {
      const query = await askQuery(engine, t('Filter Tasks'), viewController.filter.text ?? '');
      if (query !== undefined) viewController.filter.set(query);
    }),
    commands.on('dueline.filter.clear', () => viewController.filter.set(undefined)),
    commands.on('dueline.filter.save', async from => {
      const searched = typeof from === 'string' ? from : undefined;
      const query =
        searched !== undefined && isQuery(engine, searched)
          ? searched
          : await askQuery(engine, t('Save Filter'), searched ?? viewController.filter.text ?? '');
      const name = query && (await askName(withoutIcons(brief(query, 40))));
      if (query && name) await save(name, query);
    }),
    commands.onRow('dueline.filter.edit', async target => {
      const filter = await filterFor(target, t('Select a filter to edit'));
      const query = filter && (await askQuery(engine, t('Edit Filter'), filter.query));
      const name = filter && query && (await askName(filter.name));
      if (filter && query && name)
        await change(filters => filters.map(one => (one.id === filter.id ? { ...one, name, query } : one)));
    }),
    commands.onRow('dueline.filter.delete', async target => {
      const filter = await filterFor(target, t('Select a filter to delete'));
      if (filter) await remove(filter);
    }),
    commands.onRow('dueline.filter.copyQuery', async target => {
      const filter = await shownFilter(target, t('Select a filter to copy its query'));
      if (filter) await vscode.env.clipboard.writeText(filter.query);
    }),
    commands.onRow('dueline.filter.useInWidget', async target => {
      const filter = await shownFilter(target, t('Select a filter to show in a widget'));
      if (filter)
        viewController.openWidget({ ...defaultSetup('tasks'), lists: [], title: filter.name, filter: filter.query });
    }),
    commands.onRow('dueline.tag.split', async target => {
      const id = typeof target === 'string' ? target : target?.filterId;
      return applyPlan(engine, await planSplit(engine, id?.startsWith('tag:') ? id.slice('tag:'.length) : undefined));
    }),
    commands.onRow('dueline.filter.pin', pinOrUnpin),
    commands.onRow('dueline.filter.unpin', pinOrUnpin),
  );
};

async function save(name: string, query: string): Promise<void> {
  let id = '';
  await change(filters => {
    id = freshId(name, filters);
    return [...filters, { id, name, query }];
  });
  offerUndo(t('Saved filter {0}', isolate(name)), filters => filters.filter(one => one.id !== id));
}

async function remove(filter: SavedFilter): Promise<void> {
  let at = 0;
  await change(filters => {
    at = filters.findIndex(({ id }) => id === filter.id);
    return filters.filter(({ id }) => id !== filter.id);
  });
  offerUndo(t('Deleted filter {0}', isolate(filter.name)), filters => filters.toSpliced(at, 0, filter));
}

type FilterChange = (filters: readonly SavedFilter[]) => readonly SavedFilter[];

function offerUndo(message: string, back: FilterChange): void {
  const undo = t('Undo');
  void showInformation(message, undo).then(picked => (picked === undo ? change(back) : undefined));
}

/** Incomplete entries, which the user is still writing by hand, stay at the end. */
const change = (next: FilterChange): Promise<void> =>
  changeSetting('dueline.filters', entries => [
    ...next(wholeFilters(entries)),
    ...entries.filter(entry => wholeFilters([entry]).length === 0),
  ]);

function freshId(name: string, filters: readonly SavedFilter[]): string {
  const taken = new Set(filters.map(({ id }) => id));
  const base = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-') || 'filter';
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(id)) return id;
  }
}

const askName = async (value: string) => {
  const name = await showInputBox({
    title: t('Filter Name'),
    value,
    validateInput: text => (plain(text) === '' ? t('A filter name is required.') : undefined),
  });
  return name && plain(name);
};

/** Any row of the Filters tree; a choice of the saved ones if none was named. */
async function shownFilter(
  target: FilterTarget | undefined,
  placeHolder: string,
): Promise<Pick<SavedFilter, 'name' | 'query'> | undefined> {
  const id = typeof target === 'string' ? target : target?.filterId;
  return (id === undefined ? undefined : filterById(id)) ?? filterFor(target, placeHolder);
}

async function filterFor(target: FilterTarget | undefined, placeHolder: string): Promise<SavedFilter | undefined> {
  const id = (typeof target === 'string' ? target : target?.filterId)?.replace(/^saved:/, '');
  const filters = savedFilters();
  const known = filters.find(filter => filter.id === id);
  if (known) return known;
  if (filters.length === 0) {
    void showInformation(t('No saved filters yet.'));
    return undefined;
  }
  const lines = filters.map(filter => ({
    label: isolate(filter.name),
    description: withoutIcons(filter.query),
    filter,
  }));
  return (await showQuickPick(lines, { placeHolder, matchOnDescription: true }))?.filter;
}
