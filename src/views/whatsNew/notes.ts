/**
 * Release notes as a page: the little Markdown that they are written in, and who is notified of them. Does not import
 * the editor.
 */

/**
 * Headings, lists, paragraphs, **bold** and `code`; everything else is text. A list item may continue on the next line.
 * @returns HTML that holds no tag but those of these elements
 */
export function renderNotes(markdown: string): string {
  const blocks: string[] = [];
  let items: string[] = [];
  const endList = () => {
    if (items.length > 0) blocks.push(`<ul>${items.map(item => `<li>${inline(item)}</li>`).join('')}</ul>`);
    items = [];
  };
  for (const line of markdown.replace(/<!--.*?-->/gs, '').split(/\r?\n/)) {
    const text = line.trim();
    const heading = /^(#{1,3}) +(.*)$/.exec(text);
    if (text.startsWith('- ')) items.push(text.slice(2));
    else if (text !== '' && items.length > 0 && /^\s/.test(line)) items.push(`${items.pop()} ${text}`);
    else if (text !== '') {
      endList();
      const level = heading?.[1]?.length;
      blocks.push(level ? `<h${level}>${inline(heading![2]!)}</h${level}>` : `<p>${inline(text)}</p>`);
    }
  }
  endList();
  return blocks.join('\n');
}

const inline = (text: string) =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/`(.+?)`/g, '<code>$1</code>');

/** The text of the first heading: the page's title. */
export const titleOfNotes = (markdown: string) => /^# +(.*)$/m.exec(markdown)?.[1]?.trim() ?? 'Dueline';

/**
 * Tests whether an update is announced: once for each major or minor version, and never to someone who has just
 * installed.
 * @param before the version that ran last; undefined if none noted itself
 * @param hadTasks whether there was a store before
 */
export function isUpdate(before: string | undefined, now: string, hadTasks: boolean): boolean {
  if (before === undefined) return hadTasks;
  const [was, is] = [before, now].map(version => version.split('.').slice(0, 2).map(Number));
  return is![0]! > was![0]! || (is![0] === was![0] && is![1]! > was![1]!);
}
