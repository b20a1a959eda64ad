/** A line that is a link and nothing else. */
interface LinkLine {
  readonly title: string;
  readonly url: string;
}

/** "[Crash on start](https://github.com/owner/repo/issues/12)". */
const markdownLink = /^\[(?<title>.+)\]\(<?(?<url>https?:\/\/[^\s<>]+?)>?\)$/i;
/** "<https://github.com/owner/repo/issues/12>", with or without the brackets. */
const bareLink = /^<?(?<url>https?:\/\/[^\s<>]+)>?$/i;
/** GitHub, Gitea and GitLab: "/owner/repo/issues/12", "/group/repo/-/merge_requests/3". */
const issuePath = /^\/(?<project>.+?)(?:\/-)?\/(?:issues|pull|pulls|merge_requests|work_items)\/(?<number>\d+)\/?$/;
/** Jira, whose issues have keys: "/browse/SHOP-7". */
const issueKey = /\/browse\/(?<key>[A-Z][A-Z0-9_]*-\d+)\/?$/;

/** The name of an issue by its address, such as `owner/repo#12`; undefined for any other address. */
export function issueName(url: string): string | undefined {
  const path = /^https?:\/\/[^/?#]+([^?#]*)/i.exec(url)?.[1] ?? '';
  const { project, number } = issuePath.exec(path)?.groups ?? {};
  return issueKey.exec(path)?.groups?.key ?? (project && `${project}#${number}`);
}

/** The address without a slash at its end, which makes no difference. */
export const addressOf = (url: string): string => url.trim().replace(/\/$/, '');

/** Tasks by their addresses; of several with the same address the last one. */
export const byAddress = <T extends { readonly url: string | null }>(tasks: readonly T[]): Map<string, T> =>
  new Map(tasks.map(task => [addressOf(task.url ?? ''), task] as const).filter(([address]) => address !== ''));

/**
 * The title and the address of a line that is a link: as Markdown writes it, or an address alone.
 *
 * @example
 * linkOfLine('https://github.com/o/r/issues/12') // { title: 'o/r#12', url: … }
 */
export function linkOfLine(line: string): LinkLine | undefined {
  const { title = '', url = '' } = { ...bareLink.exec(line)?.groups, ...markdownLink.exec(line)?.groups };
  if (url === '') return undefined;
  return { title: title.replace(/\\([[\]\\])/g, '$1') || (issueName(url) ?? url.replace(/^https?:\/\//i, '')), url };
}

interface Line {
  readonly text: string;
  readonly own?: { readonly rejected?: unknown; readonly defaults?: { readonly url?: string | null } };
}

/** The link that a line is. A text whose words are rejected is a title. */
export const linkOf = ({ text, own }: Line): LinkLine | undefined => (own?.rejected ? undefined : linkOfLine(text));

/** The address of a line's task: of the link that it is, or else its own. Empty if it has none. */
export const addressOfLine = (line: Line): string => addressOf(linkOf(line)?.url ?? line.own?.defaults?.url ?? '');

/** The number of tasks that lines become if no task has their addresses: lines with the same one become one task. */
export function countOfTasks(lines: readonly Line[]): number {
  const addresses = lines.map(addressOfLine).filter(address => address !== '');
  return lines.length - addresses.length + new Set(addresses).size;
}

/** A title that only names the issue, as text about it does. */
const isName = ({ title, url }: LinkLine) => title === issueName(url) || /^\S*#\d+$/.test(title);

/**
 * True if a text is a list of the issues: each line with letters begins with the title of one, or with its number, as lists
 * write it below the title.
 */
export function isIssueList(text: string, issues: readonly LinkLine[]): boolean {
  const titled = issues.filter(issue => !isName(issue));
  const urls = new Set(titled.map(({ url }) => url));
  const numbers = issues.map(({ url }) => issueName(url)!.replace(/^.*#/, '#'));
  const starts = [...issues.map(({ title }) => title), ...numbers].map(start => start.replace(/\s+/g, ' ').trim());
  const lines = text.split(/[\r\n]+/).map(line => line.replace(/\s+/g, ' ').trim());
  return (
    issues.every(({ url }) => urls.has(url)) &&
    lines.every(line => !/\p{L}/u.test(line) || starts.some(start => start !== '' && line.startsWith(start)))
  );
}

/** Links as lines that {@link linkOfLine} reads; each address once, with its longest name. */
export function linesOfLinks(links: readonly LinkLine[]): string {
  const names = new Map<string, string>();
  for (const { title, url } of links) {
    const [name, address] = [title.replace(/\s+/g, ' ').trim(), addressOf(url)];
    if (name.length > (names.get(address) ?? '').length) names.set(address, name);
  }
  return [...names].map(([url, name]) => `[${name.replace(/[[\]\\]/g, '\\$&')}](${url})`).join('\n');
}
