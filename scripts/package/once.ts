// Packages for tests: made once in a run, before the first file or window that installs them.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Flavor } from '../manifest';
import { once } from '../once';
import { root } from '../paths';
import { makePackage } from './make';

const kept = join(root, 'out/packages');

/** At the start of a run, since the packages that are there may be of another build. */
export const forgetPackages = () => rmSync(kept, { recursive: true, force: true });

/** A folder with the package and its bill of materials. */
export const packageFolder = (flavor: Flavor): Promise<string> =>
  once(join(kept, flavor), work => makePackage(flavor, work));

export async function packageOnce(flavor: Flavor): Promise<string> {
  const folder = await packageFolder(flavor);
  return join(folder, readdirSync(folder).find(name => name.endsWith('.vsix'))!);
}
