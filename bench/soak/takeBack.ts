import type { Window } from '../../test/ui/support/window';
import { call, look, mastersIn } from './seen';

/** Undo, redo and bringing back, by command and by the interface; returns the act's name for the tally. */
export async function takeBack(window: Window, random: () => number, tell: (problem: string) => void): Promise<string> {
  const how = random();
  if (how < 0.4) {
    await window.command('dueline.undo');
    return 'command: undo';
  }
  if (how < 0.55) {
    await call(window, 'redo');
    return 'api: redo';
  }
  if (how < 0.8) {
    await restore(window, random());
    return 'api: restore';
  }
  await undoAndRedo(window, tell);
  return 'api: undo and redo';
}

const restore = (window: Window, chance: number): Promise<void> =>
  window.run(async (vscode, chance) => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    const entries = await api.trash();
    if (entries.length > 0) await api.restore([entries[Math.floor(chance * entries.length)].key]);
  }, chance);

/** Done again, every task is where it was and under which it was, but for what went meanwhile. */
async function undoAndRedo(window: Window, tell: (problem: string) => void): Promise<void> {
  const before = mastersIn(await look(window));
  if (!(await call(window, 'undo')) || !(await call(window, 'redo'))) return;
  const after = mastersIn(await look(window));
  for (const { id, uid, listId, parentId } of before) {
    const now = after.find(task => task.id === id);
    const wanted = after.some(task => task.id === parentId && task.listId === listId) ? parentId : null;
    if (now && (now.listId !== listId || now.parentId !== wanted))
      tell(`undone and done again, ${uid} is in ${now.listId} under ${now.parentId}, not in ${listId} under ${wanted}`);
  }
}
