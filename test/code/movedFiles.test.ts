import assert from 'node:assert/strict';
import Module from 'node:module';
import type * as vscode from 'vscode';
import type { LinkedTasks } from '../../src/code/linkedTasks';
import type { OpenFiles } from '../../src/code/openFiles';
import type { WorkingCopies } from '../../src/code/workingCopies';
import type { TaskAnchor } from '../../src/core/code/anchors';
import { hashedPath, type Repository, repositoryOf } from '../../src/core/code/repository';
import { EventEmitter, enums, Uri } from '../support/vscode/values';

type Load = (request: string, ...rest: unknown[]) => unknown;
const modules = Module as unknown as { _load: Load };

/** The next event. */
const next = <T>(emitter: EventEmitter<T>) => new Promise<T>(resolve => emitter.event(resolve));

describe('moved files', () => {
  const root = Uri.file('/work');
  /** Files and folders that are there. */
  const types = new Map<string, number>();
  const created = new EventEmitter<vscode.Uri>();
  const deleted = new EventEmitter<vscode.Uri>();
  const renamed = new EventEmitter<{ files: { oldUri: vscode.Uri; newUri: vscode.Uri }[] }>();
  const never = () => ({ dispose() {} });
  /** Ends the search that begins. */
  const searches = new EventEmitter<(found: vscode.Uri[]) => void>();
  const editor = {
    ...enums,
    Uri,
    RelativePattern: class {
      constructor(readonly baseUri: vscode.Uri) {}
    },
    workspace: {
      workspaceFolders: [{ uri: root }],
      createFileSystemWatcher: () => ({ onDidCreate: created.event, onDidDelete: deleted.event, dispose() {} }),
      onDidRenameFiles: renamed.event,
      onDidDeleteFiles: never,
      fs: {
        stat: async ({ path }: vscode.Uri) => {
          const type = types.get(path);
          if (type === undefined) throw new Error(`no ${path}`);
          return { type };
        },
      },
      findFiles: () => new Promise<vscode.Uri[]>(end => searches.fire(end)),
    },
  };
  const load = modules._load;
  before(() => {
    modules._load = function (request, ...rest) {
      return request === 'vscode' ? editor : Reflect.apply(load, this, [request, ...rest]);
    };
  });
  after(() => {
    modules._load = load;
  });
  const own: { dispose(): void }[] = [];
  afterEach(() => {
    for (const part of own.splice(0)) part.dispose();
    types.clear();
  });

  const at = (path: string) => Uri.joinPath(root, path);

  const changed = new EventEmitter<void>();

  /** One place, in a file that has just been seen unless it is only known by the hash of its path. */
  async function watched(pathOf = (_: Repository) => 'src/first.ts', others: readonly TaskAnchor[] = []) {
    const { MovedFiles } = await import('../../src/code/movedFiles');
    const { LocationMemory } = await import('../../src/code/locationMemory');
    const name = repositoryOf([], 'work');
    const place = { repo: name.id, path: pathOf(name) };
    const anchor = { ...place, source: 'the place' };
    const memory = new LocationMemory({ get: (_: string, none: unknown) => none, update: async () => {} } as never);
    const refreshed = new EventEmitter<void>();
    const copy = { root, names: [name], branch: undefined };
    const moved = new MovedFiles(
      {
        anchored: () => [...others, anchor].map(one => ({ task: 1, anchor: one })),
        onDidChange: changed.event as unknown as LinkedTasks['onDidChange'],
      } satisfies Pick<LinkedTasks, 'anchored' | 'onDidChange'>,
      { all: async () => [copy], of: async () => copy, onDidChange: never } as unknown as WorkingCopies,
      memory,
      { refresh: () => refreshed.fire() } satisfies Pick<OpenFiles, 'refresh'>,
    );
    own.push(moved, { dispose: () => memory.flush() });
    return { known: () => memory.of(anchor), refreshed, moved };
  }

  /** The place whose file has the hash of this path is searched among these files, and after that no more. */
  async function searchedOnce(path: string, files: readonly string[]) {
    const { known, refreshed } = await watched(name => hashedPath(name, path));
    types.set(at('src/first.ts').path, 1);
    const searching = next(searches);
    changed.fire();
    const end = await searching;
    let more = 0;
    own.push(searches.event(() => more++));
    const shown = next(refreshed);
    end(files.map(at));
    await shown;
    const found = known();
    const again = next(refreshed);
    deleted.fire(at('src/other.ts'));
    await again;
    assert.equal(more, 0);
    return found;
  }

  it('are found if only the hash of their path is known, as after a link by an agent, and searched once', async () => {
    assert.deepEqual(await searchedOnce('src/first.ts', ['src/other.ts', 'src/first.ts']), { path: 'src/first.ts' });
  });

  it('are searched once if none has the hash', async () => {
    assert.equal(await searchedOnce('src/gone.ts', ['src/first.ts']), undefined);
  });

  it('are searched again if a commit may have brought them, also if git could not tell the commit in between', async () => {
    const { known, refreshed, moved } = await watched(name => hashedPath(name, 'src/later.ts'));
    const committed = new EventEmitter<void>();
    const state: { HEAD?: { commit: string }; onDidChange: unknown } = {
      HEAD: { commit: 'one' },
      onDidChange: committed.event,
    };
    own.push(moved.watch({ rootUri: root, state } as never));
    const searching = next(searches);
    changed.fire();
    const shown = next(refreshed);
    (await searching)([]);
    await shown;
    assert.equal(known(), undefined);
    types.set(at('src/later.ts').path, 1);
    const again = next(searches);
    for (const HEAD of [undefined, { commit: 'two' }]) {
      state.HEAD = HEAD;
      committed.fire();
    }
    const end = await again;
    const found = next(refreshed);
    end([at('src/later.ts')]);
    await found;
    assert.deepEqual(known(), { path: 'src/later.ts' });
  });

  it('are found by a search of any length in a folder of the disk, also beside a folder that nothing searches', async () => {
    const folders: { uri: vscode.Uri }[] = editor.workspace.workspaceFolders;
    folders.push({ uri: Uri.parse('other:/work') });
    const { setTimeout: wait } = globalThis;
    const waits: (() => void)[] = [];
    globalThis.setTimeout = ((work: () => void, ms: number) => {
      // The wait for a folder that nothing searches ends when the test says so.
      if (ms < 5000) return wait(work, ms);
      waits.push(work);
      return undefined;
    }) as unknown as typeof globalThis.setTimeout;
    try {
      const { known, refreshed } = await watched(name => hashedPath(name, 'src/first.ts'));
      types.set(at('src/first.ts').path, 1);
      const searching = next(searches);
      const shown = next(refreshed);
      changed.fire();
      const end = await searching;
      await new Promise(resolve => setImmediate(resolve));
      for (const over of waits) over();
      end([at('src/first.ts')]);
      await shown;
      assert.deepEqual(known(), { path: 'src/first.ts' });
    } finally {
      globalThis.setTimeout = wait;
      folders.pop();
    }
  });

  it('are found among more links with a path than are looked at at once', async () => {
    const others = Array.from({ length: 500 }, (_, at) => ({ repo: 'other', path: `${at}`, source: `${at}` }));
    const { known, refreshed } = await watched(name => hashedPath(name, 'src/first.ts'), others);
    types.set(at('src/first.ts').path, 1);
    const searching = next(searches);
    changed.fire();
    const end = await searching;
    const shown = next(refreshed);
    end([at('src/first.ts')]);
    await shown;
    assert.deepEqual(known(), { path: 'src/first.ts' });
  });

  it('stay where the editor reported them, even if an earlier search ends later', async () => {
    const { known, refreshed } = await watched();
    types.set(at('src/second.ts').path, 1);
    const searching = next(searches);
    deleted.fire(at('src/first.ts'));
    const end = await searching;
    const shown = next(refreshed);
    renamed.fire({ files: [{ oldUri: at('src/first.ts'), newUri: at('src/second.ts') }] });
    await shown;
    assert.deepEqual(known(), { path: 'src/second.ts' });
    const over = next(refreshed);
    end([]);
    await over;
    assert.deepEqual(known(), { path: 'src/second.ts' });
  });

  it('are searched for again when a folder appears, since the editor may not report the files in it', async () => {
    const { known, refreshed } = await watched();
    const searching = next(searches);
    deleted.fire(at('src/first.ts'));
    const over = next(refreshed);
    (await searching)([]);
    await over;
    assert.deepEqual(known(), { path: 'src/first.ts', isMissing: true });
    types.set(at('lib').path, 2);
    const again = next(searches);
    created.fire(at('lib'));
    (await again)([]);
  });
});
