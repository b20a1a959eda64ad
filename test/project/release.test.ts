import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { strToU8, zipSync } from 'fflate';
import { load } from 'js-yaml';
import { withoutProtocolCuts } from '../../scripts/build/plugins.cjs';
import { type Flavor, manifestOf } from '../../scripts/manifest';
import { checkPackage } from '../../scripts/package/check';
import { linksTo, type Made } from '../../scripts/package/make';
import { noticesFor } from '../../scripts/package/packages';
import { detect, hasTag, publish, release } from '../../scripts/release/stages';
import { recipeEntry } from '../../scripts/release/version';

const { cliBundle, hostBundles, sharedBundles } = createRequire(join(resolve('.'), 'package.json'))('./esbuild.js');

describe('the release pipeline', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-stages-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A package with only a manifest, which is all that the stages read. */
  const aPackage = (note: () => string) => async (flavor: Flavor, out: string) => {
    mkdirSync(out, { recursive: true });
    const { name, version } = manifestOf(flavor);
    const [file, bill] = ['vsix', 'cdx.json'].map(end => join(out, `${name}-${version}.${end}`)) as [string, string];
    const text = strToU8(JSON.stringify({ name, version, note: note() }));
    writeFileSync(file, zipSync({ 'extension/package.json': text }, { mtime: new Date(1980, 0, 1) }));
    writeFileSync(bill, '{}');
    return { file, bill } as Made;
  };

  it('detects a version without a tag, and names the tag', () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
    git('init', '--quiet');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
    assert.equal(hasTag(folder, '.'), false);
    assert.equal(detect(false, []), 'v1.1.0');
    git('tag', 'v1.1.0');
    assert.equal(hasTag(folder, '.'), true);
    assert.equal(detect(true, []), undefined);
  });

  it('detects no release while something disagrees with the version', () => {
    assert.throws(() => detect(false, ['the recipe']), /the recipe/);
  });

  it('attaches both flavors in one step that creates the tag, with the notes in every language', async () => {
    const ran: [string, string[], string?][] = [];
    await release(
      folder,
      (...run) => ran.push(run),
      aPackage(() => 'the same'),
    );
    const [[program, args, notes] = [], ...more] = ran;
    assert.deepEqual([program, ...args!.slice(0, 3), ...more], ['gh', 'release', 'create', 'v1.1.0']);
    assert.deepEqual(
      args!.filter(arg => arg.startsWith(folder)).map(file => basename(file)),
      [
        'dueline-1.1.0.vsix',
        'dueline-1.1.0.cdx.json',
        'dueline-offline-1.1.0.vsix',
        'dueline-offline-1.1.0.cdx.json',
        'SHA256SUMS',
      ],
    );
    for (const word of ['Tags', 'flavour', 'Gespeicherte Filter', 'Etiquetas', 'Étiquettes', 'الوسوم'])
      assert.ok(notes!.includes(word), word);
    assert.doesNotMatch(notes!, /<!--/);
  });

  it('releases nothing if two builds differ', async () => {
    let count = 0;
    const refuse = () => assert.fail('it was released');
    await assert.rejects(
      release(
        folder,
        refuse,
        aPackage(() => String(count++)),
      ),
      /differ/,
    );
  });

  it('publishes the full flavor to both stores with programs of the lock file, and the offline one to none', async () => {
    const pack = aPackage(() => 'the same');
    for (const flavor of ['full', 'offline'] as const) await pack(flavor, folder);
    const ran: string[][] = [];
    publish(folder, (_, [program, ...args]) => ran.push([program!, ...args]));
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const names = ran.map(([program]) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(program!)![1]!);
    assert.deepEqual(names, ['@vscode/vsce', 'ovsx']);
    for (const name of names) assert.equal(devDependencies[name], packages[`node_modules/${name}`].version);
    const file = join(folder, 'dueline-1.1.0.vsix');
    for (const [, ...args] of ran) assert.deepEqual(args, ['publish', '--packagePath', file, '--skip-duplicate']);
  });

  it('refuses the offline flavor whatever its file name', async () => {
    const { file } = await aPackage(() => 'the same')('offline', folder);
    renameSync(file, join(folder, 'dueline-1.1.0.vsix'));
    assert.throws(() => publish(folder, () => assert.fail('published')), /only dueline goes to a store/);
  });
});

describe('the release workflow', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a workflow has no type here
  const workflow = load(readFileSync('.github/workflows/release.yml', 'utf8')) as any;
  const commands = (job: string): string[] =>
    workflow.jobs[job].steps.flatMap(({ run }: { run?: string }) => run ?? []);

  it('has three stages, one after the other', () => {
    assert.deepEqual(Object.keys(workflow.jobs), ['detect', 'release', 'publish']);
    assert.equal(workflow.jobs.release.needs, 'detect');
    assert.deepEqual(workflow.jobs.publish.needs, ['detect', 'release']);
    assert.match(workflow.jobs.release.if, /outputs\.tag != ''/);
  });

  for (const job of ['detect', 'release', 'publish'])
    it(`leaves ${job} to its script`, () => assert.ok(commands(job).includes(`node scripts/release.mjs ${job}`)));

  it('publishes what is attached to the release, even if it is run again', () => {
    assert.ok(commands('publish').includes('gh release download "$TAG" --dir packages'));
    assert.doesNotMatch(JSON.stringify(workflow), /(down|up)load-artifact/);
  });

  it('leaves no credentials of the repository in its folder', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a workflow has no type here
    const steps = Object.values<any>(workflow.jobs).flatMap(job => job.steps);
    const checkouts = steps.filter(({ uses }) => /^actions\/checkout@/.test(uses));
    assert.deepEqual(
      checkouts.map(step => step.with['persist-credentials']),
      [false, false, false],
    );
  });

  it('passes the stores’ tokens to the last stage only', () => {
    for (const job of ['detect', 'release']) assert.doesNotMatch(JSON.stringify(workflow.jobs[job]), /_PAT/);
    assert.match(JSON.stringify(workflow.jobs.publish), /VSCE_PAT.*OVSX_PAT/);
  });
});

describe('the package’s README', () => {
  it('links to the tag in the repository that makes the release', () => {
    const env = { GITHUB_SERVER_URL: 'https://code.example', GITHUB_REPOSITORY: 'some/dueline' };
    assert.deepEqual(linksTo('1.1.0', env), [
      '--baseContentUrl',
      'https://code.example/some/dueline/blob/v1.1.0',
      '--baseImagesUrl',
      'https://code.example/some/dueline/raw/v1.1.0',
    ]);
    assert.deepEqual(linksTo('1.1.0', {}), ['--allow-missing-repository', '--no-rewrite-relative-links']);
  });
});

describe('a package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-list-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'some.vsix');
  /** Checks a package with one file for each line of .vscodeignore, named as vsce names them. */
  const check = (flavor: Flavor, change: (names: Set<string>) => void) => {
    const lines = readFileSync('.vscodeignore', 'utf8').match(/(?<=^!).*/gm)!;
    const names = new Set(
      lines.map(line =>
        line
          .replace('**/', 'a/')
          .replace('*', '.x')
          .replace(/^LICENSE$/, '$&.txt'),
      ),
    );
    change(names);
    const entries = [...names].map(name => [`extension/${name}`, strToU8('x')]);
    writeFileSync(file, zipSync({ 'extension.vsixmanifest': strToU8('x'), ...Object.fromEntries(entries) }));
    return checkPackage(flavor, file);
  };

  it('contains what .vscodeignore lists', () => assert.ok(check('full', () => {}).has('dist/main.cjs')));

  it('is refused with another file, or without one of them', () => {
    assert.throws(() => check('full', names => names.add('dist/engine.cjs')), /should not: dist\/engine\.cjs$/);
    assert.throws(() => check('full', names => names.delete('dist/later.cjs')), /lacks dist\/later\.cjs$/);
    assert.throws(() => check('full', names => names.delete('media/a/.x.png')), /lacks media/);
  });

  it('has no command line in the offline flavor', () =>
    assert.throws(() => check('offline', () => {}), /should not: dist\/cli\.cjs, .*skills/));
});

describe('vsce in the source folder', () => {
  it('is refused, and names the command that packs a flavor', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package'], {
      encoding: 'utf8',
    });
    assert.notEqual(status, 0);
    assert.match(stdout + stderr, /npm run package/);
  });
});

describe('the notices of bundled packages', () => {
  it('contain the text of each license, and the address of the source', () => {
    const notices = noticesFor(
      ['ical.js/dist/ical.js', 'sax/lib/sax.js', 'debug/src/index.js'].map(file => `node_modules/${file}`),
    );
    assert.match(
      notices,
      /^ical\.js [\d.]+ \(MPL-2\.0\)\nSource: https:\/\/github\.com\/kewisch\/ical\.js\n\nMozilla Public License/m,
    );
    assert.match(notices, /^sax [\d.]+ \(BlueOak-1\.0\.0\)\nSource: https:\S+\n\n# Blue Oak Model License/m);
    assert.match(notices, /^Source: https:\/\/github\.com\/debug-js\/debug$/m);
  });

  it('refuse a package without a license text', () => {
    assert.throws(() => noticesFor(['node_modules/isarray/index.js']), /ships no licence text/);
  });

  it('list all packages that are bundled inside others, unless they are cut out', async () => {
    const bundles: BuildOptions[] = [...hostBundles('full'), ...sharedBundles(), cliBundle()];
    const inputs: string[] = [];
    for (const bundle of bundles) {
      const { metafile } = await build({ ...bundle, write: false, metafile: true });
      inputs.push(...Object.keys(metafile.inputs).filter(file => file.startsWith('node_modules/')));
    }
    const notices = noticesFor(inputs);
    const copies = (text: string) =>
      [...text.matchAll(/^\/\/ ?#region \S*node_modules\/((?:@[^/]+\/)?[^/.]+)\//gm)].map(([, name]) => name!);
    const found = [...new Set(inputs)].map(file => [file, readFileSync(file, 'utf8')] as const);
    // The search finds such copies if nothing is cut.
    assert.deepEqual(new Set(found.flatMap(([, text]) => copies(text))), new Set(['content-type']));
    const bundled = found.flatMap(([file, text]) => copies(withoutProtocolCuts(file, text)));
    assert.deepEqual(
      bundled.filter(name => !notices.includes(`\n${name} `)),
      [],
    );
  });

  it('are right about what is cut: the build fails if there is nothing to cut', () => {
    for (const file of ['@modelcontextprotocol/server/dist/src-x.mjs', 'zod/v4/core/doc.js', 'zod/v4/core/util.js'])
      assert.throws(() => withoutProtocolCuts(file, 'text'), /has changed/);
    assert.equal(withoutProtocolCuts('node_modules/sax/lib/sax.js', 'text'), 'text');
  });
});

describe('the downstream recipe', () => {
  const recipe = (gradle: string) =>
    `Builds:\n  - versionName: 1.1.0\n    versionCode: 1010099\n    commit: v1.1.0\n${gradle}\nCurrentVersion: 1.1.0\nCurrentVersionCode: 1010099\n`;

  it('has an entry for this version that builds the full flavor', () => {
    assert.deepEqual(recipeEntry(), recipeEntry(recipe('    gradle: full')));
    assert.equal(recipeEntry().flavor, 'full');
    assert.match(readFileSync('metadata/dueline.yml', 'utf8'), /^ {4}gradle: full$/m);
  });

  it('takes the flavor from the setting', () => {
    assert.equal(recipeEntry(recipe('    gradle: offline')).flavor, 'offline');
    assert.equal(recipeEntry(recipe('    gradle:\n      - full')).flavor, 'full');
    for (const wrong of ['', '    gradle: yes', '    gradle: [full, offline]', '    gradle: other'])
      assert.throws(() => recipeEntry(recipe(wrong)), /gradle: full/);
  });
});
