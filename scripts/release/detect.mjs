// Stage 1: is there a version without a tag? Names the tag, or says that there is nothing to do.
// `node scripts/release/detect.mjs`; in a workflow the answer is the step's output `tag` (empty: nothing to do).
import { appendFileSync } from 'node:fs';
import { root } from '../paths.mjs';
import { git, whereIsTag } from './git.mjs';
import { releaseOf, untoldFaults, versionFaults } from './version.mjs';

/**
 * @param {{folder: string, release: import('./version.mjs').Release, faults?: string[]}} options `folder`: the repository
 * @returns {string | undefined} the tag that is still to be made
 * @throws {Error} where something disagrees with the version
 */
export function detect({ folder, release, faults = [...versionFaults(), ...untoldFaults()] }) {
  const { here, origin } = whereIsTag(folder, release.tag);
  if (origin || (here && git(folder, 'remote') === '')) return undefined;
  if (faults.length > 0) throw new Error(`${release.version} cannot be released:\n- ${faults.join('\n- ')}`);
  return release.tag;
}

if (process.argv[1]?.endsWith('release/detect.mjs')) {
  try {
    const tag = detect({ folder: root, release: releaseOf() });
    console.log(tag ? `To be released: ${tag}` : `${releaseOf().tag} is released.`);
    if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `tag=${tag ?? ''}\n`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
