import { optimizeSqlite } from './optimizer';
import { processSurroundings } from './process';
import { run } from './run';

optimizeSqlite(false);

void run(processSurroundings).then(code => {
  process.exitCode = code;
});
