import { run } from './run.mjs';

await run('pictures/main');
