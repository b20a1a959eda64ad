import type { DuelineApi, DuelineEngine, Id, Task, TaskInput } from '../../src/api';
import type { Window } from '../../test/ui/support/window';
import { call, look, mastersIn } from './seen';
import type { Turn } from './turn';

const day = 86_400_000;

/** What another extension or a command can do through the interface; each gives its name for the tally. */
export async function actByApi(window: Window, turn: Turn): Promise<string> {
  const { random, ledger, by } = turn;
  const task = turn.take();
  const kind = random();
  if (!task || kind < turn.wish) return createAtRandom(window, turn);
  if (kind < 0.5) {
    const title = turn.title();
    ledger.wrote(task.uid, title, by);
    await call(window, 'updateTask', task.id, { title });
    return 'api: retitle';
  }
  if (kind < 0.58) {
    const { tags, priority } = inputOf(turn);
    const description = `Notes ${Math.floor(random() * 1000)}`;
    await call(window, 'updateTask', task.id, { tags, priority, description });
    return 'api: edit';
  }
  if (kind < 0.66) return move(window, turn, task);
  if (kind < 0.74) {
    const parent = turn.take(one => one.listId === task.listId);
    ledger.put(task.uid, parent?.uid ?? null, by);
    await call(window, 'moveTask', task.id, { parentId: parent?.id ?? null });
    return 'api: move under another';
  }
  if (kind < 0.76) return importTwice(window, turn);
  if (kind < 0.9) {
    const isDone = task.rrule === null && task.status === 2;
    ledger.note(task.uid, `${by} ${isDone ? 'reopens' : 'completes'} it`);
    await call(window, isDone ? 'reopenTask' : 'completeTask', task.id);
    return isDone ? 'api: reopen' : task.rrule ? 'api: complete one of a series' : 'api: complete';
  }
  for (const uid of await remove(window, task.id, random() < 0.5 ? 'keep' : 'delete')) ledger.deleted(uid, by);
  return 'api: delete';
}

async function move(window: Window, { seen, random, one, ledger, by }: Turn, task: Task): Promise<string> {
  const isOwn = seen.own.length > 0 && random() < 0.25;
  const list = one(isOwn ? seen.own : seen.lists);
  if (list.id === task.listId) return 'api: move nowhere';
  const wasOwn = seen.own.some(({ id }) => id === task.listId);
  ledger.moved(task.uid, list.name, isOwn, by);
  await call(window, 'moveTask', task.id, { listId: list.id });
  return isOwn ? 'api: move to a list of this computer' : wasOwn ? 'api: move to the server' : 'api: move';
}

/** The same file into each of two lists: they are two tasks from then on, as different as any. */
async function importTwice(window: Window, turn: Turn): Promise<string> {
  const uid = `file-${turn.number.next++}`;
  const todos = [`UID:${uid}`, `UID:${uid}-below\r\nRELATED-TO:${uid}`].map(
    (lines, at) =>
      `BEGIN:VTODO\r\n${lines}\r\nCREATED:20260101T000000Z\r\nSUMMARY:Packed ${uid} ${at}\r\nEND:VTODO\r\n`,
  );
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${todos.join('')}END:VCALENDAR\r\n`;
  const made: Task[] = [];
  for (const { id } of turn.seen.lists) {
    await call(window, 'importTasks', 'ics', text, id);
    for (const task of mastersIn(await look(window)))
      if (task.listId === id && task.title?.startsWith(`Packed ${uid} `)) made.push(task);
  }
  for (const task of made) {
    const title = turn.title();
    const above = made.find(({ id }) => id === task.parentId);
    await call(window, 'updateTask', task.id, { title });
    turn.ledger.add({ uid: task.uid, title }, `${turn.by}, from a file,`, above?.uid ?? null);
  }
  return 'api: import into two lists';
}

/** Gives the UIDs of what it takes along: by then the other window may have hung something below the task. */
const remove = (window: Window, id: Id, children: 'keep' | 'delete'): Promise<string[]> =>
  window.run(
    async (vscode, id, children) => {
      const api: DuelineApi = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await (api as DuelineEngine).refresh();
      const below = (task: Task): Task[] => {
        const steps = api.rows(task.listId).filter(({ parentId, isDeleted }) => parentId === task.id && !isDeleted);
        return [task, ...steps.flatMap(below)];
      };
      const task = api.task(id);
      if (!task) return [];
      const gone = children === 'delete' ? below(task) : [task];
      await api.deleteTask(id, { children });
      return gone.map(({ uid }) => uid);
    },
    id,
    children,
  );

export async function createAtRandom(window: Window, turn: Turn): Promise<string> {
  const list = turn.one(turn.seen.lists);
  const below = turn.random() < 0.3 ? turn.take(one => one.listId === list.id) : undefined;
  const input = { ...inputOf(turn), title: turn.title(), parentId: below?.id ?? null };
  const id = await call(window, 'createTask', list.id, input);
  turn.ledger.add((await call(window, 'task', id))!, turn.by, below?.uid ?? null);
  return below ? 'api: create below' : 'api: create';
}

/** Everything that a task can have, at random. */
function inputOf({ random, one }: Turn): TaskInput {
  const midnight = Math.floor(Date.now() / day) * day;
  const isSeries = random() < 0.25;
  const due = isSeries || random() < 0.6 ? midnight + Math.floor(random() * 20 - 6) * day : null;
  const isAllDay = random() < 0.5;
  const moment = isAllDay || due === null ? {} : { due: due + 9 * 3_600_000, timezone: 'Europe/Berlin' };
  return {
    due,
    isAllDay: due !== null && isAllDay,
    ...moment,
    rrule: isSeries ? one(['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=MONTHLY']) : null,
    tags: random() < 0.5 ? [one(['home', 'work', 'errand', 'größer'])] : [],
    priority: Math.floor(random() * 10),
  };
}
