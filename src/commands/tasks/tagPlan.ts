import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { tagParts, withTagSplit } from '../../core/fields/tags';
import type { Task } from '../../core/kernel/model';
import { isolate, listed, plain, t, tn } from '../../shared/l10n';
import { ask, showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { titleOf } from '../../ui/text/taskText';
import { type ChangePlan, planUpdate } from '../common/changePlan';

interface TagLine extends vscode.QuickPickItem {
  readonly tag: string;
}

/** Tags that all chosen tasks share are ticked; what is ticked or unticked then changes on every one of them. */
export function planTags(engine: DuelineEngine, tasks: readonly Task[]): Promise<ChangePlan | undefined> {
  const common = new Set(tasks[0]!.tags.filter(tag => tasks.every(task => task.tags.includes(tag))));
  const counts = new Map(engine.tags().map(({ name, count }) => [name, count]));
  const known = [...new Set([...counts.keys(), ...tasks.flatMap(task => task.tags)])];
  const gone = new Set<string>();
  const lines: TagLine[] = known.map(tag => {
    const count = tasks.filter(({ tags }) => tags.includes(tag)).length;
    const isMixed = count > 0 && count < tasks.length;
    return {
      label: isolate(tag),
      description: isMixed
        ? t('{0} of {1} selected', count, tasks.length)
        : tn(counts.get(tag) ?? 0, '{0} task', '{0} tasks'),
      tag,
      ...(isMixed && { iconPath: new vscode.ThemeIcon('dash'), buttons: [removeButton()] }),
    };
  });
  const options = {
    title:
      tasks.length === 1
        ? t('Tags for {0}', isolate(titleOf(tasks[0]!)))
        : tn(tasks.length, 'Tags for {0} task', 'Tags for {0} tasks'),
    placeholder: t('Select tags, or type a new one'),
    canSelectMany: true,
    items: lines,
    selectedItems: lines.filter(({ tag }) => common.has(tag)),
  };
  /** The lines that were ticked when the text was typed last. */
  let tickedBefore: readonly TagLine[] = options.selectedItems;
  const named = (text: string) =>
    lines.find(({ tag }) => tag.toLocaleLowerCase() === text.toLocaleLowerCase())?.tag ?? text;
  return ask<TagLine, ChangePlan>(options, pick => ({
    // A box of the editor's is ticked or not: what some of the tasks have stays as it is until it is ticked, or removed.
    onItemButton(item) {
      gone.add(item.tag);
      const chosen = pick.selectedItems.filter(line => line !== item);
      const at = lines.indexOf(item);
      lines[at] = { label: item.label, tag: item.tag, description: t('Removed from all') };
      pick.items = pick.items.map(line => (line === item ? lines[at]! : line));
      pick.selectedItems = chosen;
      return undefined;
    },
    onType(text) {
      const typed = typedTag(text);
      const chosen = pick.selectedItems;
      const isNew = typed !== '' && !lines.some(({ tag }) => tag.toLocaleLowerCase() === typed.toLocaleLowerCase());
      const made: TagLine[] = isNew
        ? [{ label: isolate(typed), description: t('new tag'), tag: typed, alwaysShow: true }]
        : [];
      pick.items = [...made, ...chosen.filter(line => !lines.includes(line) && line.tag !== typed), ...lines];
      pick.selectedItems = pick.items.filter(line => chosen.some(({ tag }) => tag === line.tag));
      tickedBefore = pick.selectedItems;
    },
    // Enter applies the typed text, unless the user has ticked a line since.
    onAccept() {
      const chosen = new Set(pick.selectedItems.map(({ tag }) => tag));
      const typed = typedTag(pick.value);
      const isTicked = chosen.size !== tickedBefore.length || tickedBefore.some(({ tag }) => !chosen.has(tag));
      if (typed !== '' && !isTicked) chosen.add(named(typed));
      return tagPlan(
        engine,
        tasks,
        [...chosen].filter(tag => !common.has(tag)),
        [...common, ...gone].filter(tag => !chosen.has(tag)),
      );
    },
  }));
}

const typedTag = (text: string) => plain(text).trim().replace(/^#/, '');

const removeButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('close'),
  tooltip: t('Remove from All'),
});

/** Every task that has the tag gets its parts instead; undefined if no tag is chosen. */
export async function planSplit(engine: DuelineEngine, named: string | undefined): Promise<ChangePlan | undefined> {
  const joined = engine.tags().flatMap(({ name }) => (tagParts(name).length > 1 ? [name] : []));
  const lines = joined.map(tag => ({ label: isolate(tag), tag }));
  if (named === undefined && lines.length === 0) {
    void showInformation(t('No tags contain a comma.'));
    return undefined;
  }
  const tag = named ?? (await showQuickPick(lines, { placeHolder: t('Select a tag to split') }))?.tag;
  if (tag === undefined) return undefined;
  const tasks = engine
    .lists()
    .filter(({ isReadOnly }) => !isReadOnly)
    .flatMap(({ id }) => engine.rows(id))
    .filter(task => !task.isDeleted && task.tags.includes(tag));
  const split = listed(tagParts(tag).map(one => isolate(`#${one}`)));
  return planUpdate(engine, tasks, split, ({ tags }) => ({ tags: withTagSplit(tags, tag) }), t('Tags set'));
}

function tagPlan(
  engine: DuelineEngine,
  tasks: readonly Task[],
  added: readonly string[],
  gone: readonly string[],
): ChangePlan {
  const named = (tags: readonly string[]) => listed(tags.map(tag => isolate(`#${tag}`)));
  const labels = [
    ...(added.length > 0 ? [t('Add tags: {0}', named(added))] : []),
    ...(gone.length > 0 ? [t('Remove tags: {0}', named(gone))] : []),
  ];
  const patchOf = ({ tags }: Task) => {
    const missing = added.filter(tag => !tags.includes(tag));
    const isSame = missing.length === 0 && !gone.some(tag => tags.includes(tag));
    return isSame ? {} : { tags: [...tags.filter(tag => !gone.includes(tag)), ...missing] };
  };
  return planUpdate(engine, tasks, labels.join('\n'), patchOf, t('Tags set'));
}
