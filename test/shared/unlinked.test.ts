import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isolate, unlinked, unlinkedLine } from '../../src/shared/l10n';

/** The links that the editor looks for in its messages (base/common/linkedText). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

describe('text for the editor’s notifications', () => {
  it('contains no link, whatever a title contains: a link could run any command', () => {
    for (const title of [
      '[Pay rent](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22rm%20-rf%20~%5Cn%22%7D)',
      '[a](https://example.com) and [b](file:///etc/passwd "c")',
      '[[a](command:x)](command:y)',
    ]) {
      assert.match(title, link);
      assert.doesNotMatch(unlinked(`“${isolate(title)}” is done`), link);
      assert.equal(unlinked(title).replaceAll('\u2060', ''), title, 'and reads as it did');
    }
  });

  it('contains no link in a report either, which is Markdown', () => {
    // The links that the editor's Markdown extension looks for.
    const links = [/\]\(\s*[^\s()]+/, /<(\w+:[^>\s]+)>/, /^[\t ]*\[(?!\^)(?:\\\]|[^\]])+\]:[\t ]*\S/m];
    for (const [at, text] of ['[a](command:x)', 'see <command:x>', 'a\n[b]: command:x'].entries()) {
      assert.match(text, links[at]!);
      for (const link of links) assert.doesNotMatch(`- ${unlinkedLine(text)}`, link);
    }
    assert.equal(unlinkedLine('  - a < b and [c] (d)'), '  - a < b and [c] (d)');
  });

  it('passes through one function', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
    const past = sources.filter(name =>
      /\bshow(Information|Warning|Error)Message\b/.test(readFileSync(`src/${name}`, 'utf8')),
    );
    assert.deepEqual(
      past.map(name => name.replaceAll('\\', '/')),
      ['ui/notifications.ts'],
    );
  });
});
