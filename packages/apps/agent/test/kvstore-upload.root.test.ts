import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { DataDirectory } from '../src/kvstore/data-directory.ts';
import { keepUpload, type UploadPart } from '../src/kvstore/upload.ts';

const { signal } = new AbortController();
const none = new Uint8Array();

/** As a client sends it: how much it is, the data, and its hash. */
async function* parts(
  pieces: readonly Uint8Array[],
  { totalBytes, sha256 }: { totalBytes?: bigint; sha256?: Uint8Array } = {},
): AsyncGenerator<UploadPart> {
  const hash = createHash('sha256');
  const sum = BigInt(pieces.reduce((bytes, { length }) => bytes + length, 0));
  yield { data: none, totalBytes: totalBytes ?? sum, sha256: none };
  for (const data of pieces) {
    hash.update(data);
    yield { data, totalBytes: 0n, sha256: none };
  }
  yield { data: none, totalBytes: 0n, sha256: sha256 ?? hash.digest() };
}

testWith(root)(
  'an upload is there whole, or not at all: a full disk, a wrong hash or an end leave the former one',
  async (t) => {
    const disk = join(await temporaryDirectory(t), 'disk');
    await mkdir(disk);
    await output(['mount', '-t', 'tmpfs', '-o', 'size=72m', 'nodecore-test', disk]);
    t.teardown(() => output(['umount', disk]));
    const directory = await DataDirectory.open(join(disk, 'kvstore'));
    const first = Buffer.from('the first');
    t.is(await keepUpload(parts([first]), directory, signal), BigInt(first.length));
    const isFirst = async (why: string): Promise<void> => {
      t.deepEqual(await readFile(directory.snapshot), first, why);
      t.deepEqual(await readdir(directory.path), ['recover.db'], why);
    };

    const piece = Buffer.alloc(1 << 20, 1);
    const large = Array.from({ length: 100 }, () => piece);
    await t.throwsAsync(keepUpload(parts(large), directory, signal), {
      code: 'ERR_MEMBER_SPACE',
      message: /bytes are free on the kvstore's volume, and a recovery needs \d+: make room/,
    });
    await isFirst('it does not fit');
    await t.throwsAsync(keepUpload(parts(large, { totalBytes: 1n }), directory, signal), {
      code: 'ERR_MEMBER_SPACE',
      message: /is full: make room/,
    });
    await isFirst('the disk is full in the middle');
    await t.throwsAsync(keepUpload(parts([piece], { sha256: new Uint8Array(32) }), directory, signal), {
      code: 'ERR_MEMBER_UPLOAD',
      message: /send it again/,
    });
    await isFirst('it is not what was sent');
    const leaving = AbortSignal.abort(new Error('the caller left'));
    await t.throwsAsync(keepUpload(parts([piece]), directory, leaving), { message: 'the caller left' });
    await isFirst('the caller left');

    await writeFile(directory.snapshotPart, 'of a node that died');
    t.is(await keepUpload(parts([piece]), directory, signal), BigInt(piece.length));
    t.deepEqual(await readFile(directory.snapshot), piece);
  },
);
