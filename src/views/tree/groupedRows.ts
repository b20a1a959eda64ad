import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { momentOf, parseDay } from '../../core/time/dates';
import { groupItems } from '../../query/eval/group';
import { parseQuery } from '../../query/parse/parser';
import type { GroupField } from '../../query/parse/syntax';
import { groupFields, has } from '../../query/parse/vocabulary';
import { isolate, numeral, rowLabel, t } from '../../shared/l10n';
import type { DateStyle } from '../../ui/settings/settings';
import { dayFor } from '../../ui/text/dateText';
import { groupLabel } from '../../ui/text/groupText';
import type { RowGroup } from './branchRows';
import type { NestedRows } from './nestedRows';
import type { GroupNode } from './nodes';

type Grouping = Pick<DuelineEngine, 'clock' | 'settings' | 'lists' | 'locale'>;

export function treeGroupsOf(rows: NestedRows, by: GroupField, engine: Grouping): readonly RowGroup[] {
  const keys = new Map(rows.roots.map(key => [rows.row(key)!, key]));
  const moment = momentOf(engine.clock, engine.settings.dayStartHour);
  const context = { moment, lists: engine.lists(), locale: engine.locale };
  return groupItems([...keys.keys()], by, [], context).map(({ key, label, items }) => ({
    key,
    label,
    roots: items.map(item => keys.get(item)!),
  }));
}

/** The query's own grouping, else the one in the setting. */
export function groupFieldOf(query: string, setting: string): GroupField {
  try {
    const named = parseQuery(query).group;
    if (named) return named;
  } catch {
    // The branch itself shows what is wrong with its query.
  }
  return has(groupFields, setting) ? setting : 'none';
}

export function groupItem(node: GroupNode, group: RowGroup | undefined, style: DateStyle): vscode.TreeItem {
  const now = dayFor(style.clock.now(), { timezone: 'UTC', isAllDay: false }, style);
  const label = headingOf(node, group?.label ?? '', { now, style });
  const item = new vscode.TreeItem(rowLabel(label), vscode.TreeItemCollapsibleState.Expanded);
  item.id = node.id;
  item.contextValue = `group.${node.by}`;
  const day = node.by === 'due' ? parseDay(node.key) : undefined;
  item.iconPath = new vscode.ThemeIcon(
    icons[node.by] ?? 'list-flat',
    day && day < now ? new vscode.ThemeColor('list.errorForeground') : undefined,
  );
  const count = numeral(group?.roots.length ?? 0);
  item.description = count;
  item.accessibilityInformation = { label: t('group {0}, {1}', isolate(label), count) };
  return item;
}

const icons: Partial<Record<GroupField, string>> = {
  due: 'calendar',
  done: 'pass',
  list: 'list-unordered',
  priority: 'flag',
  tag: 'tag',
  status: 'circle-large-outline',
};

/** Not "No value" alone: in a tree a heading is far from what names its kind. */
function headingOf({ by, key }: GroupNode, label: string, context: Parameters<typeof groupLabel>[2]): string {
  if (key !== 'none') return groupLabel(key, label, context);
  switch (by) {
    case 'due':
      return t('No date');
    case 'priority':
      return t('No priority');
    case 'tag':
      return t('No tags');
    default:
      return groupLabel(key, label, context);
  }
}
