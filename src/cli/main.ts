import { setFlagsFromString } from 'node:v8';
import { processSurroundings } from './process';
import { run } from './run';

// Optimizing SQLite for a long life would take longer than the whole command.
setFlagsFromString('--liftoff-only');

void run(processSurroundings).then(code => {
  process.exitCode = code;
});
