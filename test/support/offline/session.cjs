// A session of 100 operations, alone in its process, for a watcher outside: `node session.cjs <engine bundle>`
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

async function main() {
  const { openEngine } = require(resolve(process.argv[2] ?? 'dist/engine-offline.cjs'));
  const folder = mkdtempSync(join(tmpdir(), 'dueline-offline-'));
  let done = 0;
  const did = async (/** @type {any} */ work) => {
    const result = await work;
    done += 1;
    return result;
  };
  try {
    const engine = await openEngine({ folder: join(folder, 'store') });
    for (let round = 0; round < 12; round++) {
      const id = await did(engine.quickAdd(`Water the plants ${round} tomorrow 9:00 every week #home !high`));
      await did(engine.updateTask(id, { description: `Round ${round}` }));
      await did(engine.completeTask(id));
      await did(engine.undo());
      await did(engine.query('#home due:tomorrow'));
      await did(engine.widget('week'));
      await did(engine.exportTasks('ics'));
      await did(engine.deleteTask(id));
    }
    await did(engine.exportDatabase(join(folder, 'copy.db')));
    await did(engine.refresh());
    await did(engine.close());
    const again = await did(openEngine({ folder: join(folder, 'store') }));
    await did(again.close());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (done < 100) throw new Error(`Only ${done} operations.`);
  process.stdout.write(`${done} operations\n`);
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
