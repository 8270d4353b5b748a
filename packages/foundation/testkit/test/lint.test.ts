import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { command, temporaryDirectory } from '../src/index.ts';

const checkout = join(import.meta.dirname, '../../../..');

test('two files that need only types of each other are a circle all the same', async (t) => {
  const directory = await temporaryDirectory(t);
  const files = {
    'egg.ts': "import type { Hen } from './hen.ts';\nexport type Egg = { readonly of: Hen };\n",
    'hen.ts': "import type { Egg } from './egg.ts';\nexport type Hen = { readonly lays: Egg };\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const oxlint = join(checkout, 'node_modules/.bin/oxlint');
  const { code, stdout } = await command([oxlint, '-c', join(checkout, 'oxlint.config.ts'), directory]);
  t.is(code, 1, stdout);
  for (const name of Object.keys(files)) t.regex(stdout, new RegExp(`import.no-cycle.*[^]*${name}`));
});
