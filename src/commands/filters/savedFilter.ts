import { quote } from '../../query/parse/lexer';
import { labeledBuiltInFilters } from '../../ui/builtInFilters';
import { savedFilters } from '../../ui/settings/settings';

/** The name and query behind an id of the Filters tree: a saved filter's, a built-in one's or a tag's. */
export function filterById(id: string): { readonly name: string; readonly query: string } | undefined {
  const [kind, name = ''] = [id.split(':', 1)[0], id.slice(id.indexOf(':') + 1)];
  if (kind === 'tag') return { name: `#${name}`, query: `tag:${quote(name)}` };
  if (kind === 'builtIn') return labeledBuiltInFilters().find(filter => filter.id === name);
  return savedFilters().find(filter => filter.id === id.replace(/^saved:/, ''));
}
