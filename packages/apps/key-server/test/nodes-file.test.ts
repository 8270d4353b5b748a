import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { parseNodes, readNodes } from '../src/server/nodes-file.ts';

const uuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const other = '7e6f4a10-9a0c-4a53-8a67-0f8f7f6b1c22';

test('a list has a UUID a line, and comments', (t) => {
  const text = `# rack 1\n${uuid} # first\r\n\n  ${other.toUpperCase()}\n`;
  t.deepEqual([...parseNodes(text, 'nodes')], [uuid, other]);
});

test('an empty list serves nobody', (t) => {
  t.deepEqual([...parseNodes('# nobody yet\n', 'nodes')], []);
});

test('a bad line refuses the whole list and is named', (t) => {
  for (const line of ['node1', uuid.slice(1), `${uuid} ${other}`, '00000000-0000-0000-0000-000000000000'])
    t.throws(() => parseNodes(`${uuid}\n${line}\n`, 'nodes'), {
      code: 'ERR_KMS_NODES',
      message: /nodes: line 2/,
    });
});

test('a list that is not there can not be read', async (t) => {
  const directory = await temporaryDirectory(t);
  await t.throwsAsync(readNodes(join(directory, 'no')), { code: 'ERR_KMS_NODES', message: /ENOENT/ });
  await writeFile(join(directory, 'nodes'), `${uuid}\n`);
  t.deepEqual([...(await readNodes(join(directory, 'nodes')))], [uuid]);
  await writeFile(join(directory, 'nodes'), Buffer.concat([Buffer.from(`${uuid}\n# B`), Buffer.of(0xfc)]));
  await t.throwsAsync(readNodes(join(directory, 'nodes')), {
    code: 'ERR_KMS_NODES',
    message: /nodes:2:4: this byte is not part of a UTF-8 text/,
  });
});
