import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session } from '../../test/ui/support/driver';

/** A small extension beside Dueline: when it starts, and its code. */
export interface Neighbour {
  readonly name: string;
  readonly event: string;
  readonly code: string;
  /** What its manifest contributes. */
  readonly contributes?: object;
}

/** A window with the package as people install it. */
export async function withInstalled(
  neighbours: readonly Neighbour[],
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-'));
  const packing = ['scripts/package.mjs', '--flavor', 'full', '--quiet', '--out', folder];
  const made = spawnSync(process.execPath, packing, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr + made.stdout);
  const vsix = readdirSync(folder).find(name => name.endsWith('.vsix'))!;
  const data = join(folder, 'data');
  for (const neighbour of neighbours) write(data, neighbour);
  const session = await Session.open({ vsix: [join(folder, vsix)], data, size: { width: 1280, height: 1400 } });
  try {
    await work(session);
  } finally {
    await session.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function write(data: string, { name, event, code, contributes = {} }: Neighbour): void {
  const place = join(data, `extensions/dueline-tests.${name}-1.0.0`);
  mkdirSync(place, { recursive: true });
  const engines = { vscode: '^1.90.0' };
  const manifest = { name, publisher: 'dueline-tests', version: '1.0.0', engines, main: 'index.js' };
  const rest = { activationEvents: [event], extensionKind: ['workspace'], contributes };
  writeFileSync(join(place, 'package.json'), JSON.stringify({ ...manifest, ...rest }));
  writeFileSync(join(place, 'index.js'), `${code}\n`);
}

/** Makes a list with so many tasks; gives its id. */
export const filledList = ({ window }: Session, name: string, count: number): Promise<number> =>
  window.run(
    async (vscode, name, count) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const listId: number = await api.createList({ name });
      await api.apply(
        Array.from({ length: count }, (_, index) => ({
          type: 'create',
          listId,
          input: { title: `${name} task ${index}`, priority: index % 10, tags: index % 3 === 0 ? ['one'] : [] },
        })),
      );
      return listId;
    },
    name,
    count,
  );
