import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { excludedFiles } from '../../../src/core/code/ignoredFiles';
import { languageOf } from '../../../src/core/code/languages';
import { withoutComment, withTaskId } from '../../../src/core/code/todoEdits';
import { type Todo, todosOf } from '../../../src/core/code/todos';

const todosIn = (text: string, language: string): Todo[] =>
  [...todosOf(text, language)].filter(found => found !== undefined);

function edited(text: string, edit: { from: number; to: number; text: string }): string {
  return text.slice(0, edit.from) + edit.text + text.slice(edit.to);
}

const named = (text: string, language = 'typescript') =>
  edited(text, withTaskId(text, todosIn(text, language)[0]!, 'dl-k3f9'));

const removed = (text: string, language = 'typescript') =>
  edited(text, withoutComment(text, todosIn(text, language)[0]!));

const folder = 'test/core/fixtures/todos';
const sources = readdirSync(folder).flatMap(name => {
  const language = languageOf(name.replace(/(\.\w+)\.txt$/, '$1'));
  return language ? [{ name, language, text: readFileSync(join(folder, name), 'utf8') }] : [];
});

describe('the ID of a task in its comment', () => {
  it('is written in parentheses behind the keyword, with a colon', () => {
    assert.equal(named('a(); // TODO: call'), 'a(); // TODO(dl-k3f9): call');
    assert.equal(named('\r\n// TODO call\r\n'), '\r\n// TODO(dl-k3f9): call\r\n');
    assert.equal(named('/* FIXME */'), '/* FIXME(dl-k3f9): */');
    assert.equal(named('# XXX: a TODO: b', 'python'), '# XXX(dl-k3f9): a TODO: b');
  });

  it('keeps the name of the assignee', () => {
    assert.equal(named('// TODO(ana): call'), '// TODO(ana, dl-k3f9): call');
    const [todo] = todosIn('// TODO(ana, dl-k3f9): call', 'typescript');
    assert.deepEqual(todo, { ...todo, owner: 'ana', taskId: 'dl-k3f9', text: 'call' });
  });

  it('is read back in every language', () => {
    assert.ok(sources.length >= 60);
    for (const { name, language, text } of sources) {
      const before = todosIn(text, language);
      before.forEach((todo, at) => {
        const after = todosIn(edited(text, withTaskId(text, todo, 'dl-k3f9')), language);
        assert.equal(after.length, before.length, name);
        assert.equal(after[at]!.taskId, 'dl-k3f9', `${name}, line ${todo.line + 1}`);
        assert.equal(after[at]!.text, todo.text, `${name}, line ${todo.line + 1}`);
      });
    }
  });
});

describe('a comment that is removed', () => {
  it('removes its line if nothing else is on it', () => {
    assert.equal(removed('a();\n  // TODO: call\nb();\n'), 'a();\nb();\n');
    assert.equal(removed('a();\r\n/* TODO: call\r\n */\r\nb();'), 'a();\r\nb();');
    assert.equal(removed('// TODO: last'), '');
    assert.equal(removed('<p></p>\n<!-- TODO: call -->\n', 'html'), '<p></p>\n');
  });

  it('leaves the code on its line', () => {
    assert.equal(removed('a(); // TODO: call\nb();'), 'a();\nb();');
    assert.equal(removed('a(/* TODO: name */ 1);'), 'a( 1);');
  });

  it('leaves the other text of a comment', () => {
    assert.equal(removed('/**\n * Calls.\n * TODO: twice\n * @param a\n */\nx'), '/**\n * Calls.\n * @param a\n */\nx');
    assert.equal(removed('// Slow, TODO: cache'), '// Slow, ');
    assert.equal(removed('/* TODO: one\n   Two */'), '/* \n   Two */');
    assert.equal(removed('/* one\n   TODO: two */'), '/* one\n    */');
  });

  it('is removed as a whole if it continues on further lines', () => {
    assert.equal(removed('a();\n  // TODO: call\n  // them all\n  // Calls.\nb();\n'), 'a();\n  // Calls.\nb();\n');
    assert.equal(removed('a();\n/* TODO: call\n * them all\n */\nb();'), 'a();\nb();');
    assert.equal(
      removed('/**\n * Calls.\n * TODO: twice\n *   or more\n * @param a\n */'),
      '/**\n * Calls.\n * @param a\n */',
    );
    assert.equal(removed('/* TODO: one\n   two\n\n   Three */'), '/* \n\n   Three */');
  });

  it('is removed in every language, and no other comment with it', () => {
    for (const { name, language, text } of sources) {
      const before = todosIn(text, language);
      before.forEach((todo, at) => {
        const after = todosIn(edited(text, withoutComment(text, todo)), language).map(one => one.text);
        const others = before.filter((_, other) => other !== at).map(one => one.text);
        assert.ok(!after.includes(todo.text), `${name}, line ${todo.line + 1}`);
        assert.deepEqual(
          after.filter(one => others.includes(one)),
          others,
          `${name}, line ${todo.line + 1}`,
        );
      });
    }
  });
});

describe('files that are excluded from the search', () => {
  it('are those of the setting and of .gitignore', () => {
    const ignored = '# Made\n/dist/\nnode_modules\n*.log\n!keep.log\nsrc/made/\n\n';
    assert.equal(
      excludedFiles({ '**/out/**': true, '**/kept': false, '**/*.js': { when: '$(basename).ts' } }, [ignored]),
      '{**/.git,**/.git/**,**/out,**/out/**,dist,dist/**,**/node_modules,**/node_modules/**,**/*.log,**/*.log/**,src/made,src/made/**}',
    );
  });

  it('omit globs with braces', () => {
    assert.equal(excludedFiles({ '**/{a,b}': true }, ['a\\#b\n']), '{**/.git,**/.git/**}');
  });
});
