import type { DuelineEngine } from '../src/api';
import { openEngine } from '../src/engine';
import { inFolder, ofSeveral, type Report, took } from './reference/figure';

const lines = 5000;
const words = 'Write the changelog Ana Call about budget review plants release tomorrow'.split(' ');

/** A list of 5,000 tasks as text: to open it, to look at it after a key, and to save one change. */
export async function run(report: Report): Promise<void> {
  await inFolder(async folder => {
    const clock = { timeZone: 'Europe/Berlin', now: () => Date.UTC(2026, 10, 29, 9) };
    const engine = await openEngine({ folder, clock, locale: 'en-US' });
    const listId = await filledList(engine);
    const times = { open: [] as number[], key: [] as number[], save: [] as number[] };
    for (let round = 0; round < 12; round++) {
      const tasks = engine.asText({ listId });
      let base = '';
      const open = () => {
        base = tasks.write().text;
      };
      times.open.push(await took(open));
      const before = base.replace(/^(\w+)/, `$1${round}`);
      tasks.check(base, before);
      const mine = before.replace(/^(\w+)/, '$1x');
      times.key.push(await took(() => tasks.check(base, mine)));
      times.save.push(await took(() => tasks.save({ base, mine })));
      tasks.dispose();
    }
    await engine.close();
    report(ofSeveral('open 5,000 lines, ms', times.open, 300));
    report(ofSeveral('save one change of 5,000 lines, ms', times.save.slice(1), 100));
    report(ofSeveral('a key to its diagnostics in 5,000 lines, ms', times.key.slice(1), 30));
  });
}

async function filledList(engine: DuelineEngine): Promise<number> {
  const listId = await engine.createList({ name: 'Work' });
  const word = (at: number) => words[at % words.length]!;
  const ids = await engine.apply(
    Array.from({ length: lines }, (_, at) => ({
      type: 'create' as const,
      listId,
      input: {
        title: `${word(at)} ${word(at * 7 + 1)} ${word(at * 5 + 2)}${at % 4 === 0 ? ` ${at}` : ''}`,
        ...(at % 2 === 0 ? { due: Date.UTC(2026, 11, 1 + (at % 28)), isAllDay: true } : {}),
        priority: at % 5 === 0 ? 1 : 0,
        tags: at % 3 === 0 ? ['release'] : [],
      },
    })),
  );
  const families = ids.flatMap((id, at) => (at % 4 === 1 ? [{ id, to: { parentId: ids[at - 1]! } }] : []));
  await engine.apply(families.map(move => ({ type: 'move' as const, ...move })));
  return listId;
}
