import * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import { bucketOf, type PriorityBucket, priorityOf } from '../../core/fields/priority';
import type { Id, Task } from '../../core/kernel/model';
import { parseDay } from '../../core/time/dates';
import { foldCase } from '../../query/eval/foldCase';
import { isolate, t } from '../../shared/l10n';
import { type Announce, type Announcement, announcementOf, perform } from '../../ui/announcements';
import { rescheduledBy } from '../../ui/applyToSeries';
import { draggedTasks, readTaskIds, taskMime, textMime, uriListMime } from '../../ui/draggedTasks';
import { showError } from '../../ui/errors';
import { inSeries } from '../../ui/occurrences';
import { rootTasks } from '../../ui/relatives';
import { dateChange, dueOn, withoutDue } from '../../ui/reschedule';
import { setting } from '../../ui/settings/settings';
import { confirmPathInList, linkTask } from '../../ui/taskLinks';
import { addedText, checkLineCount } from '../../ui/text/addedText';
import { codeLinks } from '../../ui/text/codeLinks';
import { belowText, besideText, nameOfTasks } from '../../ui/text/movedText';
import { fullTitleOf, titleOf } from '../../ui/text/taskText';
import type { GroupNode, TaskNode, TreeNode } from './nodes';

/**
 * Tasks dropped on a list move to its end. Dropped on a task, they move before it if lists are sorted manually;
 * otherwise, or if a setting says so, they become its subtasks. Dropped on a group or between its rows, they take over
 * its day, priority, tag or list. A file dropped on a task links it; dropped text becomes tasks, a line each. The
 * keyboard does the same with Move to List, Make Subtask, Promote, Move Up, Move Down, Due Date, Set Priority, Edit
 * Tags and Link Task to This Line.
 */
export class TreeDrag {
  /** The drag that began last: the rows by their ids in this tree, and the tasks among them. */
  #begun: { readonly rows: readonly string[]; readonly ids: readonly Id[] } = { rows: [], ids: [] };

  constructor(
    private readonly engine: DuelineEngine,
    private readonly announce: Announce,
    /**
     * Shows the first of what was dropped on a task, which may be folded; with the focus if it was dragged from this
     * tree.
     */
    readonly onDropped?: (id: Id, focus: boolean) => Promise<void>,
  ) {}

  handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): void {
    const ids = nodes.flatMap(node => (node.kind === 'task' ? node.taskId : []));
    this.#begun = { rows: nodes.map(({ id }) => id), ids };
    if (ids.length === 0) return;
    draggedTasks.start(ids);
    data.set(taskMime, new vscode.DataTransferItem(JSON.stringify(ids)));
    const titles = ids.map(id => fullTitleOf(this.engine.task(id) ?? { title: '' }));
    data.set(textMime, new vscode.DataTransferItem(titles.join('\n')));
  }

  async handleDrop(onto: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    // The words in an empty list stand for the list.
    const target = onto?.kind === 'note' ? onto.parent : onto;
    draggedTasks.drop();
    try {
      const dragged = data.get(taskMime);
      if (dragged) return await this.#move(this.#idsIn(await dragged.asString()), target);
      const dropped = (await data.get(textMime)?.asString()) ?? '';
      const links = linesOf((await data.get(uriListMime)?.asString()) ?? '').filter(line => !line.startsWith('#'));
      if (links.length > 0 && target?.kind === 'task') await this.#link(target.taskId, links);
      else await this.#add(links.some(isLocal) || dropped === '' ? links : linesOf(dropped), target);
    } catch (error) {
      void showError(error);
    }
  }

  /** A quick drop cancels what the editor still asks about the drag: then it brings the handles of rows alone. */
  #idsIn(data: string): readonly Id[] {
    const ids = readTaskIds(data);
    if (ids.length > 0) return ids;
    const { itemHandles = [] } = JSON.parse(data) as { itemHandles?: readonly string[] };
    const { rows } = this.#begun;
    const isBegun = rows.length === itemHandles.length && rows.every((id, at) => itemHandles[at]!.endsWith(`/${id}`));
    return isBegun ? this.#begun.ids : [];
  }

  async #move(ids: readonly Id[], target: TreeNode | undefined): Promise<void> {
    const tasks = rootTasks(this.engine, ids);
    const changes = tasks.flatMap(task => this.#changesFor(task, target));
    if (changes.length === 0) return;
    const message = this.#message(tasks, changes, target);
    this.announce(await perform(this.engine, () => this.engine.apply(changes), message));
    if (target?.kind === 'task') await this.onDropped?.(tasks[0]!.id, true);
  }

  /**
   * Names what the drop did: a row is small, and a drop is easily a row off. The row's state before the drop decides
   * the words.
   */
  #message(tasks: readonly Task[], changes: readonly TaskChange[], target: TreeNode | undefined) {
    const moves = changes.filter(change => change.type === 'move');
    const others = changes.filter(change => change.type !== 'move');
    const group = target?.kind === 'group' ? target : target?.kind === 'task' ? target.group : undefined;
    const changed = (): Omit<Announcement, 'step'> =>
      group?.by === 'due' ? rescheduledBy(this.engine, changes) : { text: t('Changed {0}', nameOfTasks(tasks)) };
    const onto = target?.kind === 'task' ? this.engine.task(target.taskId) : undefined;
    const [first] = moves;
    if (!first) return changed;
    const { listId, before } = first.to;
    if (!onto || before === undefined) {
      const list = this.engine.lists().find(({ id }) => id === listId);
      const name = isolate(list?.name ?? '');
      return () => ({ text: t('Moved {0} to {1}', nameOfTasks(tasks), name) });
    }
    const moved =
      before === null ? belowText(this.engine, tasks, onto.id) : besideText(this.engine, tasks, onto, 'before');
    return () => {
      if (others.length === 0) return { text: moved };
      const { text, rescheduled } = changed();
      return { text: t('{0}. {1}', moved, text), ...(rescheduled ? { rescheduled } : {}) };
    };
  }

  #changesFor(task: Task, target: TreeNode | undefined): readonly TaskChange[] {
    switch (target?.kind) {
      case 'list':
        return [{ type: 'move', id: task.id, to: { listId: target.listId, parentId: null, before: null } }];
      case 'group':
        return groupChange(this.engine, task, target);
      case 'task':
        return this.#changesOnto(task, target);
      default:
        return [];
    }
  }

  #changesOnto(task: Task, target: TaskNode): readonly TaskChange[] {
    const onto = this.engine.task(target.taskId);
    if (!onto || onto.id === task.id) return [];
    // Rows of a filter are in its own order, under no parent: what a drop among them shows is the group it ends in.
    if (target.branch.kind === 'filter') return target.group ? groupChange(this.engine, task, target.group) : [];
    const { listId, parentId } = onto;
    if (makesSubtasks()) return [{ type: 'move', id: task.id, to: { listId, parentId: onto.id, before: null } }];
    // Above a row of a group it is in that group; a subtask is below its parent, whatever value it has.
    const isInGroup = target.group && target.parent.kind === 'group' && target.group.by !== 'list';
    const values = isInGroup ? groupChange(this.engine, task, target.group) : [];
    // An occurrence with values of its own has the position of its series.
    if (task.masterId !== null && values.length > 0) return values;
    return [{ type: 'move', id: task.id, to: { listId, parentId, before: onto.id } }, ...values];
  }

  async #link(taskId: Id, links: readonly string[]): Promise<void> {
    const found = await Promise.all(links.map(async link => ({ link, code: await codeLinks()?.atLink(link) })));
    const add = found.flatMap(({ code }) => code?.anchor ?? []);
    const task = this.engine.task(taskId);
    if (task && add.length > 0) {
      const { id } = inSeries(this.engine, task).task;
      const link = () => this.engine.apply([{ type: 'anchors', id, edit: { add } }]);
      this.announce(await perform(this.engine, link, () => t('Linked {0}', isolate(titleOf(task)))));
    }
    for (const { link, code } of found)
      if (!code && !(await linkTask(this.engine, taskId, link, this.announce))) return;
  }

  async #add(lines: readonly string[], target: TreeNode | undefined): Promise<void> {
    const destination = destinationOf(target, this.engine);
    if (!destination) return;
    checkLineCount(lines);
    const codes = await Promise.all(lines.map(line => (isLocal(line) ? codeLinks()?.atLink(line) : undefined)));
    const local = lines.find((line, at) => isLocal(line) && !codes[at]);
    const keepsPath = local === undefined || (await confirmPathInList(this.engine, destination, local));
    const changes = lines.map((line, at): TaskChange => {
      const { title, url } = nameOf(line);
      const code = codes[at];
      const link = url === undefined || code || (isLocal(line) && !keepsPath) ? {} : { url };
      const parent = destination.parentId ? { parentId: destination.parentId } : {};
      const anchors = code ? { anchors: [code.anchor] } : {};
      return { type: 'create', listId: destination.listId, input: { title, ...link, ...parent }, ...anchors };
    });
    const { result: ids, step } = await this.engine.stepOf(() => this.engine.apply(changes));
    this.announce(announcementOf(addedText(this.engine, ids), step));
    const [first] = ids;
    if (first !== undefined && destination.parentId) await this.onDropped?.(first, false);
  }
}

/** In an order by hand, to put a row elsewhere is what a drag is for. */
function makesSubtasks(): boolean {
  const how = setting('dueline.tree.dropOnTask');
  if (!setting('dueline.tree.nestSubtasks') || how === 'reorder') return false;
  return how === 'subtask' || setting('dueline.tree.sort') !== 'manual';
}

const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '');

const isAddress = (line: string) => /^[a-z][a-z0-9+.-]+:\/\/\S+$/i.test(line);

/** The address of a file of this machine, or of one that it is connected to. */
const isLocal = (line: string) => isAddress(line) && !/^https?:/i.test(line);

/** An address by itself is a task about it. */
function nameOf(line: string): { title: string; url?: string } {
  if (!isAddress(line)) return { title: line };
  const name = isLocal(line) ? vscode.Uri.parse(line).path.split('/').at(-1) : undefined;
  return { title: name || line, url: line };
}

function destinationOf(node: TreeNode | undefined, engine: DuelineEngine): { listId: Id; parentId?: Id } | undefined {
  if (node?.kind === 'list') return { listId: node.listId! };
  if (node?.kind === 'group' && node.branch.kind === 'list') return { listId: node.branch.listId! };
  if (node?.kind !== 'task' || node.branch.kind !== 'list') return undefined;
  const task = engine.task(node.taskId);
  return task && { listId: task.listId, parentId: task.id };
}

/** The changes that make a task fit into a group. */
function groupChange(engine: DuelineEngine, task: Task, { by, key }: GroupNode): readonly TaskChange[] {
  switch (by) {
    case 'due': {
      const day = parseDay(key);
      const change = dateChange(engine, task, null, dated => {
        const patch = day ? dueOn(dated, day, engine.clock.timeZone) : withoutDue(dated);
        return patch.due === dated.due ? {} : patch;
      });
      return change ? [change] : [];
    }
    case 'priority':
      // A number that is already in the bucket is kept: other clients may mean more by it.
      return bucketOf(task.priority) === key
        ? []
        : [{ type: 'update', id: task.id, patch: { priority: priorityOf[key as PriorityBucket] } }];
    case 'tag': {
      const name = key === 'none' ? undefined : engine.tags().find(tag => foldCase(tag.name) === key)?.name;
      const has = task.tags.some(tag => foldCase(tag) === key);
      return name === undefined || has ? [] : [{ type: 'update', id: task.id, patch: { tags: [...task.tags, name] } }];
    }
    case 'list': {
      const listId = Number(key);
      return listId === task.listId ? [] : [{ type: 'move', id: task.id, to: { listId, parentId: null } }];
    }
    default:
      return [];
  }
}
