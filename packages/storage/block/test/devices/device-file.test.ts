import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { DeviceFile } from '../../src/devices/device-file.ts';
import { inspectEdges } from '../../src/proof/device-edges.ts';
import { zeroProofPlaces } from '../../src/wipe/places.ts';

const mebibyte = 1 << 20;

async function fileOf(t: ExecutionContext, sizeBytes: number): Promise<DeviceFile> {
  const path = join(await temporaryDirectory(t), 'disk');
  await writeFile(path, 'first');
  await truncate(path, sizeBytes);
  const file = await DeviceFile.open(path, { write: true });
  t.teardown(async () => await file.close());
  return file;
}

test('what was looked at is given back at once, also when the look fails', async (t) => {
  const file = await fileOf(t, 4 * mebibyte);
  let kept: Uint8Array = Buffer.alloc(0);
  const look = (bytes: Buffer): string => {
    kept = bytes;
    return bytes.toString('latin1', 0, 5);
  };
  t.is(await file.inspect(0n, mebibyte, look), 'first');
  t.is(kept.length, 0);
  const fail = (bytes: Buffer): never => {
    kept = bytes;
    throw new TypeError('no');
  };
  await t.throwsAsync(file.inspect(0n, mebibyte, fail), { instanceOf: TypeError });
  t.is(kept.length, 0);
  await t.throwsAsync(inspectEdges(file, ({ first }) => fail(first)));
  t.is(kept.length, 0);
});

test('reading and zeroing all places of a proof leaves no memory to the collector', async (t) => {
  const file = await fileOf(t, 64 * mebibyte);
  await zeroProofPlaces(file);
  const beforeBytes = process.memoryUsage().arrayBuffers;
  await zeroProofPlaces(file);
  for (let round = 0; round < 20; round += 1) {
    await file.zero(0n, 4096n);
    await inspectEdges(file, ({ first }) => t.is(first.length, mebibyte));
  }
  const leftBytes = process.memoryUsage().arrayBuffers - beforeBytes;
  t.true(leftBytes < mebibyte, `${leftBytes} bytes`);
});
