// What the engine says to people: sentences that stand as literals in core, store, sync and engine. They are the keys of
// l10n/messages.json; `{0}`, `{1}` … stand for what a template fills in.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';

const rooms = ['core', 'store', 'sync', 'engine'];

/** Files whose literals views translate already, or which speak other languages. */
const elsewhere =
  /quickAdd\/|filter\/(parse\/(vocabulary|serverWords(\.offline)?)|help\/(describe|explain|complete)|eval\/savedFilters)\.ts$/;

/** Files that say parts of sentences too: reasons, and what was left out of an import. */
const inParts =
  /exchange\/\w+\.ts$|ical\/read\w+\.ts$|filter\/parse\/(lexer|linearRegex|terms)\.ts$|store\/(journal\/files|transfer\/integrity)\.ts$|sync\/dav\/(httpErrors|transportErrors)\.ts$/;

const isSentence = (/** @type {string} */ text) => /^[A-Z“"{].* .*\p{L}.*([.?]|[.:] \{\d\})$/su.test(text);
const isPart = (/** @type {string} */ text) => /^(?=[A-Za-z“"{;])[^=\n?]*[\p{L}}”)"]:? [\p{L}{“(][^=\n?]*$/u.test(text);
const isCode = (/** @type {string} */ text) =>
  /^[A-Z]{2,} .*[^.]$|^IFNULL|^after completion$|^\W*\w?\W*$|\b(IS NULL|GLOB|DELETE|ORDER BY|WHERE|SELECT)\b|^\{0\} → /.test(
    text,
  ) || !/\p{L}{2}/u.test(text.replace(/\{\d\}/g, ''));

/** Read only in the log, or by developers who use the interface. */
const internal = new Set([
  'A change that could not be made safe could not be taken back either: {0}',
  'A listener failed.',
  'A listener failed: {0}',
  'A newer version of Dueline is changing the store.',
  'A snapshot appeared.',
  'Another process folded the store meanwhile.',
  'Generation {0} has not begun.',
  'Journal format {0}.',
  'No row named "{0}" was inserted before.',
  'One resource of list {0} could not be fetched.',
  'Snapshot format {0}.',
  'Task {0} repeats so often that some of its dates are left out of views.',
  'The change report of list {0} was refused; listing it whole.',
  'The disk took only a part.',
  'The journal {0} cannot be ended.',
  'The journal {0} is gone.',
  'The journal {0} starts from a snapshot.',
  'The migration lost rows.',
  'The migrated tables differ: {0}.',
  'The new snapshot is not sound: {0}',
  'The snapshot worker failed; building on the main thread. {0}',
  'The storage folder cannot be watched; it is polled instead. {0}',
  'The work of an edit must be done when it returns.',
  'The worker ended with code {0}.',
  'Unknown record kind in {0}.',
  '"alarms" must be a list.',
  '"isAllDay" must be true or false.',
  '"tags" must be a list of texts.',
  '"{0}" is no change of a task.',
  '"{0}" is no reference of a reminder; use DUE, START or ABSOLUTE.',
  '"{0}" is none of {1}.',
  '"{0}" must be a whole number from {1} to {2}, not {3}.',
  '"{0}" must be text.',
  '"{0}" of an all-day task is its date\'s 00:00 UTC; set isAllDay to false to give a time.',
  'A leftover resource of list {0} stays on the server: {1}',
  '{0} {1}: {2} responses have no address; left out.',
  'A reminder needs a whole number of minutes.',
  'List {0} already has a task with the uid {1}.',
  'Priority and status cannot be empty.',
  'Quick add takes a line of text.',
  'The snapshot was not built: {0}',
  'The task to stand before is not in this place.',
  'There is no {0} {1}.',
  'What this refers to does not exist.',
  '{0} has no field {1} to set.',
  '{0} must be an integer, not {1}.',
]);

/**
 * @param {readonly string[]} [files]
 * @returns {Set<string>} the sentences that those files say
 */
export function messagesOf(files = engineFiles()) {
  const speaking = files.filter(name => /^src\/(core|store|sync|engine)\//.test(name) && !elsewhere.test(name));
  return new Set(
    speaking.flatMap(file => {
      const literals = literalsOf(readFileSync(join(root, file), 'utf8')).map(text => text.trim());
      const said = literals.filter(text => isSentence(text) || (inParts.test(file) && isPart(text)));
      return said.filter(text => !isCode(text) && !internal.has(text));
    }),
  );
}

/** @returns {Record<string, Record<string, string>>} what each language says for a sentence */
export const messages = () => JSON.parse(readFileSync(join(root, 'l10n/messages.json'), 'utf8'));

export const engineFiles = () =>
  rooms.flatMap(room =>
    readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => `src/${room}/${name.replaceAll('\\', '/')}`)
      .sort(),
  );

/**
 * Every string and template of a source, those inside of templates included.
 * @param {string} code
 * @returns {string[]}
 */
function literalsOf(code) {
  /** @type {string[]} */
  const found = [];
  let at = 0;
  const escaped = () => {
    const sign = code[at + 1] ?? '';
    at += 2;
    return sign === 'n' ? '\n' : sign;
  };
  const quoted = () => {
    const quote = code[at++];
    let text = '';
    while (at < code.length && code[at] !== quote && code[at] !== '\n')
      text += code[at] === '\\' ? escaped() : code[at++];
    at += 1;
    found.push(text);
  };
  const template = () => {
    let text = '';
    let places = 0;
    at += 1;
    while (at < code.length && code[at] !== '`') {
      if (code.startsWith('${', at)) {
        at += 2;
        text += `{${places++}}`;
        block();
      } else text += code[at] === '\\' ? escaped() : code[at++];
    }
    at += 1;
    found.push(text);
  };
  /** Up to the brace that closes it, or the end. */
  const block = () => {
    for (let depth = 0; at < code.length; ) {
      const sign = code[at] ?? '';
      const rest = code.slice(at, at + 2);
      if (rest === '//') at = endOr(code.indexOf('\n', at), code);
      else if (rest === '/*') at = endOr(code.indexOf('*/', at), code) + 2;
      else if (sign === '/' && /[(,=:[!&|?{};>]\s*$|return\s$/.test(code.slice(Math.max(0, at - 20), at))) regex();
      else if (sign === "'" || sign === '"') quoted();
      else if (sign === '`') template();
      else {
        at += 1;
        if (sign === '{') depth += 1;
        else if (sign === '}' && depth-- === 0) return;
      }
    }
  };
  const regex = () => {
    at += 1;
    for (let inClass = false; at < code.length && code[at] !== '\n' && (inClass || code[at] !== '/'); at += 1) {
      if (code[at] === '\\') at += 1;
      else if (code[at] === '[') inClass = true;
      else if (code[at] === ']') inClass = false;
    }
    at += 1;
  };
  block();
  return found;
}

/**
 * @param {number} at
 * @param {string} code
 */
const endOr = (at, code) => (at < 0 ? code.length : at);
