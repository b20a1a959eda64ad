// `npm run docs` writes the part of package.json that is for the editor, from src/contributions, and the references in docs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages, pageWith, type Reference, references, withContributions } from './docs/references';
import { root } from './paths';

const file = join(root, 'package.json');
writeFileSync(file, withContributions(readFileSync(file, 'utf8')));
for (const [name, reference] of Object.entries(references()) as [Reference, string][])
  writeFileSync(join(root, pages[name]), pageWith(name, reference).after);
