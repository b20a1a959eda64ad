import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { load } from 'js-yaml';
import { manifestOf } from '../manifest.mjs';
import { checkPackage } from '../package/check.mjs';
import { linksTo } from '../package/make.mjs';
import { noticesFor } from '../package/packages.mjs';
import { readRecipe } from '../recipe.mjs';
import { detect } from '../release/detect.mjs';
import { git } from '../release/git.mjs';
import { folderHost } from '../release/hosts.mjs';
import { publish, refuseOffline } from '../release/publish.mjs';
import { release } from '../release/release.mjs';
import { folderStore } from '../release/stores.mjs';
import { releaseOf } from '../release/version.mjs';

type Flavor = 'full' | 'offline';
const made = releaseOf();
const silent = () => {};

/** A package with a manifest in it and nothing else: what the stages look at. */
async function aPackage(flavor: Flavor, out: string, note = 'the same') {
  mkdirSync(out, { recursive: true });
  const { name, version } = manifestOf(flavor);
  const file = join(out, `${name}-${version}.vsix`);
  const bill = join(out, `${name}-${version}.cdx.json`);
  const text = strToU8(JSON.stringify({ name, version, note }));
  writeFileSync(file, zipSync({ 'extension/package.json': text }, { mtime: new Date(1980, 0, 1) }));
  writeFileSync(bill, '{}');
  return { file, bill };
}

describe('the release pipeline', () => {
  let scratch: string;
  let folder: string;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'dueline-stages-'));
    folder = join(scratch, 'source');
    git(scratch, 'init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
    git(scratch, 'init', '--quiet', '--initial-branch=main', 'source');
    git(folder, 'config', 'user.name', 'Someone');
    git(folder, 'config', 'user.email', 'someone@example.invalid');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
    git(folder, 'remote', 'add', 'origin', join(scratch, 'origin.git'));
    git(folder, 'push', '--quiet', 'origin', 'main');
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const host = () => folderHost(join(scratch, 'host'));
  const stage = (more = {}) =>
    release({
      folder,
      release: made,
      host: host(),
      out: join(scratch, 'packages'),
      test: silent,
      pack: (flavor: Flavor, out: string) => aPackage(flavor, out),
      faults: [],
      log: silent,
      ...more,
    });

  it('detects the version without a tag, and names the tag', () => {
    assert.equal(detect({ folder, release: made, faults: [] }), 'v1.1.0');
  });

  it('detects nothing once the tag is there, here or at the origin alone', () => {
    git(folder, 'tag', 'v1.1.0');
    git(folder, 'push', '--quiet', 'origin', 'v1.1.0');
    assert.equal(detect({ folder, release: made, faults: [] }), undefined);
    git(folder, 'tag', '--delete', 'v1.1.0');
    assert.equal(detect({ folder, release: made, faults: [] }), undefined);
  });

  it('detects nothing to release while something disagrees with the version', () => {
    assert.throws(() => detect({ folder, release: made, faults: ['the recipe'] }), /the recipe/);
  });

  it('tests, tags, and attaches both flavors with the notes in every language', async () => {
    const order: string[] = [];
    await stage({
      test: () => order.push('test'),
      pack: (flavor: Flavor, out: string) => {
        order.push(flavor);
        return aPackage(flavor, out);
      },
    });
    assert.deepEqual(order, ['test', 'full', 'full', 'offline', 'offline']);
    const attached = join(scratch, 'host/v1.1.0');
    assert.deepEqual(readdirSync(attached).sort(), [
      'SHA256SUMS',
      'dueline-1.1.0.cdx.json',
      'dueline-1.1.0.vsix',
      'dueline-offline-1.1.0.cdx.json',
      'dueline-offline-1.1.0.vsix',
      'notes.md',
    ]);
    const notes = readFileSync(join(attached, 'notes.md'), 'utf8');
    for (const word of ['Tags', 'flavour', 'Gespeicherte Filter', 'Etiquetas', 'Étiquettes', 'الوسوم'])
      assert.ok(notes.includes(word), word);
    assert.doesNotMatch(notes, /<!--/);
    assert.equal(git(folder, 'rev-list', '-n', '1', 'v1.1.0'), git(folder, 'rev-parse', 'HEAD'));
    assert.notEqual(git(folder, 'ls-remote', '--tags', 'origin', 'v1.1.0'), '');
  });

  it('changes nothing the second time', async () => {
    await stage();
    const refs = git(join(scratch, 'origin.git'), 'show-ref', '--dereference');
    let packed = 0;
    const pack = (flavor: Flavor, out: string) => {
      packed += 1;
      return aPackage(flavor, out);
    };
    assert.deepEqual(await stage({ pack }), []);
    assert.equal(packed, 0);
    assert.equal(git(join(scratch, 'origin.git'), 'show-ref', '--dereference'), refs);
  });

  it('completes a release that was broken off after the tag', async () => {
    git(folder, 'tag', 'v1.1.0');
    git(folder, 'push', '--quiet', 'origin', 'v1.1.0');
    await stage();
    assert.ok(existsSync(join(scratch, 'host/v1.1.0/dueline-offline-1.1.0.vsix')));
  });

  it('tags nothing where a test fails, or where two builds differ', async () => {
    const failing = stage({
      test: () => {
        throw new Error('a test failed');
      },
    });
    await assert.rejects(failing, /a test failed/);
    let count = 0;
    const pack = (flavor: Flavor, out: string) => aPackage(flavor, out, String(count++));
    await assert.rejects(stage({ pack }), /differ/);
    assert.equal(git(folder, 'tag'), '');
    assert.equal(existsSync(join(scratch, 'host')), false);
  });

  it('never moves a tag', async () => {
    git(folder, 'tag', 'v1.1.0');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Go on');
    await assert.rejects(stage(), /another commit/);
  });

  describe('publishing', () => {
    const stores = () => ['one', 'two'].map(name => folderStore(name, join(scratch, name)));

    it('takes the full flavor to every store, and the offline one to none', async () => {
      await stage();
      const from = join(scratch, 'packages');
      for (let time = 0; time < 2; time++) {
        assert.equal(basename(await publish({ from, stores: stores(), log: silent })), 'dueline-1.1.0.vsix');
        for (const name of ['one', 'two']) assert.deepEqual(readdirSync(join(scratch, name)), ['dueline-1.1.0.vsix']);
      }
    });

    it('hands its tokens to programs of the lock file alone', () => {
      const source = readFileSync('scripts/release/stores.mjs', 'utf8');
      const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
      const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
      const names = [...source.matchAll(/'node_modules\/((?:@[^/']+\/)?[^/']+)\//g)].map(([, name]) => name!);
      assert.deepEqual(names, ['@vscode/vsce', 'ovsx']);
      for (const name of names) assert.equal(devDependencies[name], packages[`node_modules/${name}`].version);
      assert.doesNotMatch(source, /npx|npm/);
    });

    it('refuses the offline flavor whatever its file is called', async () => {
      const from = join(scratch, 'mixed');
      const { file } = await aPackage('offline', from);
      await assert.rejects(refuseOffline(file), /only dueline goes to a store/);
      writeFileSync(join(from, 'dueline-1.1.0.vsix'), new Uint8Array(readFileSync(file)));
      await assert.rejects(publish({ from, stores: stores(), log: silent }), /only dueline/);
      assert.equal(existsSync(join(scratch, 'one')), false);
    });
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
    it(`leaves ${job} to its script`, () => assert.ok(commands(job).includes(`node scripts/release/${job}.mjs`)));

  it('gives the stores’ keys to the last stage alone', () => {
    for (const job of ['detect', 'release']) assert.doesNotMatch(JSON.stringify(workflow.jobs[job]), /_PAT/);
    assert.match(JSON.stringify(workflow.jobs.publish), /VSCE_PAT.*OVSX_PAT/);
  });
});

describe('the package’s README', () => {
  it('leads to the tag in the repository that makes the release', () => {
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
  /** With one file for each line of .vscodeignore, named as vsce names them. */
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

  it('holds what .vscodeignore names', () => assert.ok(check('full', () => {}).has('dist/main.cjs')));

  it('is refused with another file, or without one of them', () => {
    assert.throws(() => check('full', names => names.add('dist/engine.cjs')), /should not: dist\/engine\.cjs$/);
    assert.throws(() => check('full', names => names.delete('dist/later.cjs')), /lacks dist\/later\.cjs$/);
    assert.throws(() => check('full', names => names.delete('media/a/.x.png')), /lacks media/);
  });

  it('has no command line in the offline flavor', () =>
    assert.throws(() => check('offline', () => {}), /should not: dist\/cli\.cjs, skills/));
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
  it('hold the text of each licence, and say where the source is', () => {
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

  it('refuse a package that ships no licence text', () => {
    assert.throws(() => noticesFor(['node_modules/isarray/index.js']), /ships no licence text/);
  });
});

describe('the downstream recipe', () => {
  it('has an entry for this version that builds the full flavor', () => {
    const [entry] = readRecipe().entries.filter(({ versionName }) => versionName === made.version);
    assert.deepEqual(entry, { versionName: '1.1.0', versionCode: 1010099, commit: 'v1.1.0', flavor: 'full' });
    assert.match(readFileSync('metadata/dueline.yml', 'utf8'), /^ {4}gradle: full$/m);
  });

  it('takes the flavor from the setting', () => {
    const recipe = (gradle: string) =>
      `Builds:\n  - versionName: 1.1.0\n    versionCode: 1010099\n    commit: v1.1.0\n${gradle}\nCurrentVersion: 1.1.0\n`;
    const flavorOf = (gradle: string) => readRecipe(recipe(gradle)).entries[0]?.flavor;
    assert.equal(flavorOf('    gradle: offline'), 'offline');
    assert.equal(flavorOf('    gradle:\n      - full'), 'full');
    for (const wrong of ['', '    gradle: yes', '    gradle: [full, offline]', '    gradle: other'])
      assert.throws(() => flavorOf(wrong), /gradle: full/);
  });
});
