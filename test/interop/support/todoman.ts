import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Todo {
  readonly id: number;
  readonly summary: string;
  readonly list: string;
  readonly completed: boolean;
}

/** todoman on the lists of a folder, with a cache of its own in another. */
export class Todoman {
  readonly #config: string;

  constructor(lists: string, own: string) {
    mkdirSync(own, { recursive: true });
    this.#config = join(own, 'config.py');
    const settings = { path: `${lists}/*`, cache_path: join(own, 'cache.sqlite3'), date_format: '%Y-%m-%d' };
    const lines = Object.entries({ ...settings, time_format: '%H:%M' }).map(
      ([name, value]) => `${name} = ${JSON.stringify(value)}`,
    );
    writeFileSync(this.#config, `${lines.join('\n')}\n`);
  }

  run(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('todoman', ['-c', this.#config, ...args], {
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    });
    if (status !== 0) throw new Error(`todoman ${args.join(' ')} ended with ${status}: ${stderr.slice(-500)}${stdout}`);
    return stdout;
  }

  list(): readonly Todo[] {
    return JSON.parse(this.run('--porcelain', 'list', '--status', 'ANY')) as Todo[];
  }

  idOf(summary: string): string {
    const found = this.list().find(todo => todo.summary === summary);
    if (!found) throw new Error(`todoman has no “${summary}”.`);
    return String(found.id);
  }
}
