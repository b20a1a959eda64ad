import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import * as tsdav from 'tsdav';
import { leanTsdav } from '../build/plugins.cjs';

/** What a request of tsdav looks like when it is sent. */
async function sent(query: (send: typeof fetch) => Promise<unknown>): Promise<unknown> {
  let request: unknown;
  await query(async (input, init) => {
    request = { url: String(input), ...init };
    return new Response(null, { status: 200 });
  });
  return request;
}

describe('tsdav in the package', () => {
  let lean: typeof tsdav;
  let inputs: string[];

  before(async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: "export * from 'tsdav';", resolveDir: resolve('.') },
      bundle: true,
      platform: 'node',
      write: false,
      metafile: true,
      plugins: [leanTsdav],
    });
    inputs = Object.keys(metafile.inputs);
    const module = { exports: {} as typeof tsdav };
    new Function('module', 'exports', 'require', outputFiles[0]!.text)(module, module.exports, require);
    lean = module.exports;
  });

  it('has the writer of xml-js without its reader, and nothing of debug', () => {
    assert.ok(inputs.some(file => file.endsWith('xml-js/lib/js2xml.js')));
    assert.deepEqual(
      inputs.filter(file => /node_modules\/(sax|debug|ms)\/|xml2js/.test(file)),
      [],
    );
  });

  it('builds the requests that it builds in whole', async () => {
    const url = 'https://dav.example/a/';
    const props = { 'd:displayname': 'a &amp; <b>', 'c:comp': { _attributes: { name: 'VTODO' } } };
    const queries: ((from: typeof tsdav, send: typeof fetch) => Promise<unknown>)[] = [
      ({ propfind }, send) => propfind({ url, depth: '0', props, fetch: send }),
      ({ makeCalendar }, send) => makeCalendar({ url, props, fetch: send }),
      ({ calendarQuery }, send) => calendarQuery({ url, props, filters: props, depth: '1', fetch: send }),
      ({ calendarMultiGet }, send) => calendarMultiGet({ url, props, objectUrls: ['/a'], depth: '1', fetch: send }),
      ({ updateObject }, send) => updateObject({ url, data: 'a', etag: '"b"', fetch: send }),
    ];
    for (const query of queries) {
      const whole = await sent(send => query(tsdav, send));
      assert.match(JSON.stringify(whole), /a &amp; &lt;b&gt;|"PUT"/);
      assert.deepEqual(await sent(send => query(lean, send)), whole);
    }
  });
});

describe('the scripts of the full flavor', () => {
  let files: Map<string, string[]>;
  before(async () => {
    const { hostBundles } = createRequire(join(resolve('.'), 'package.json'))('./esbuild.js');
    const [, scripts] = hostBundles('full') as [unknown, BuildOptions];
    const plugins = scripts.plugins!.filter(({ name }) => name !== 'written');
    const { metafile } = await build({ ...scripts, plugins, sourcemap: false, metafile: true });
    files = new Map(
      Object.entries(metafile!.outputs).map(([path, { inputs }]) => [basename(path), Object.keys(inputs)]),
    );
  });

  it('have each file once', () => {
    assert.deepEqual([...files.keys()].sort(), ['command.cjs', 'later.cjs', 'main.cjs', 'parts.cjs', 'shared.cjs']);
    const all = [...files.values()].flat();
    assert.deepEqual(
      all.filter((file, at) => all.indexOf(file) !== at),
      [],
    );
  });

  it('keep what is asked for by `require` out of what a start reads', () => {
    assert.ok(files.get('main.cjs')!.includes('src/app/main.ts'));
    assert.ok(files.get('later.cjs')!.includes('src/app/registerRest.ts'));
    assert.ok(files.get('later.cjs')!.includes('src/commands/registerCommands.ts'));
    assert.ok(files.get('command.cjs')!.includes('src/cli/main.ts'));
  });
});

describe('a bundle of the full flavor', () => {
  it('takes the lean tsdav', () => {
    const { hostBundles } = createRequire(join(resolve('.'), 'package.json'))('./esbuild.js');
    for (const { plugins } of hostBundles('full') as { plugins: { name: string }[] }[])
      assert.ok(plugins.some(({ name }) => name === leanTsdav.name));
  });
});
