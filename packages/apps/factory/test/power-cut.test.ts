import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';

const writer = fileURLToPath(new URL('record-writer.ts', import.meta.url));

testWith(program('strace'))(
  'the disk has what is kept, and what is revoked, before anybody is told: a power cut takes none of it back',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const log = join(directory, 'calls');
    // -y names the file of each descriptor.
    const flags = ['-f', '-y', '-o', log, '-e', 'trace=write,fsync,fdatasync'];
    const command = [process.execPath, '--conditions=source', writer, directory];
    const said = await output(['strace', ...flags, ...command]);
    t.deepEqual(said.trim().split('\n'), [
      'opened',
      'schematic kept',
      'ten kept',
      'token kept',
      'token revoked',
    ]);
    const calls = (await readFile(log, 'utf8')).split('\n');
    /** Files that were synced between two things that were said. */
    const synced = (from: string, to: string): readonly string[] => {
      const [begin, end] = [from, to].map((text) => calls.findIndex((call) => call.includes(`"${text}\\n"`)));
      return calls
        .slice(begin, end)
        .flatMap((call) => /f(?:data)?sync\(\d+<.*\/([^/]+)>\) += 0$/.exec(call)?.[1] ?? []);
    };
    t.deepEqual(synced('opened', 'schematic kept'), ['schematics.sqlite-wal']);
    t.deepEqual(synced('schematic kept', 'ten kept'), ['schematics.sqlite-wal'], 'in one commit');
    t.deepEqual(synced('ten kept', 'token kept'), ['tokens.sqlite-wal']);
    t.deepEqual(synced('token kept', 'token revoked'), ['tokens.sqlite-wal']);
  },
);
