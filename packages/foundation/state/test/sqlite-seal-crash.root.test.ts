import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Secret } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import type { Kind } from '../src/index.ts';
import { sqliteState } from '../src/sqlite/index.ts';
import { type Files, filesOf, kills, putFiles } from './kills.ts';
import { recordWrites } from './recorded-writes.ts';
import { inOrder, sealedRows } from './sealed-rows.ts';

const kind: Kind = { namespace: 'default', type: 'Secrets.test.nodecore.dev' };
const script = fileURLToPath(new URL('seal-again.ts', import.meta.url));

for (const wasSealed of [false, true]) {
  testWith(program('strace'))(
    `killed in any write of sealing a file${wasSealed ? ' with a new key' : ''}, all is there, and sealed by the next`,
    async (t) => {
      const directory = await temporaryDirectory(t);
      const path = join(directory, 'state.db');
      const keys = [Secret.random(32), Secret.random(32)];
      const [newKey, oldKey] = keys as [Secret, Secret];
      const keyFiles = [join(directory, 'new'), join(directory, 'old')];
      await writeFile(keyFiles[0]!, newKey.bytes);
      await writeFile(keyFiles[1]!, oldKey.bytes);
      const types = [kind.type];
      {
        const options = wasSealed ? { sealing: { keys: [oldKey], types } } : {};
        await using state = await sqliteState(path, options);
        for (const id of ['a', 'b', 'c']) await state.create({ ...kind, id }, `canary ${id}`);
        await state.destroy({ ...kind, id: 'c' });
      }
      const whole: Files = new Map([[path, await readFile(path)]]);
      const command = [process.execPath, '--conditions=source', script, path, kind.type, ...keyFiles];
      const calls = await recordWrites(filesOf(path), join(directory, 'calls'), command);
      t.true(calls.filter(({ call }) => call === 'write').length > 10);
      const moments = [...kills(calls, whole)];
      t.log(`${moments.length} moments`);
      for (const [name, files] of moments) {
        await putFiles(path, files);
        const { revision, read } = sealedRows(path, keys, types);
        const found = inOrder(read).map(({ metadata, spec }) => [metadata.id, metadata.version, spec]);
        if (JSON.stringify([revision, found]) !== '[4,[["a",1,"canary a"],["b",1,"canary b"]]]')
          t.fail(`${name}: ${revision} ${JSON.stringify(found)}`);
        if ((await readFile(path)).includes('canary')) t.fail(`${name}: something of before is left`);
      }
    },
  );
}
