import { constants, open } from 'node:fs/promises';
import { basename } from 'node:path';

import { type Inventory, list } from '@nodecore/block';
import { loopDevice, root, testWith } from '@nodecore/testkit';
import { VolumeManager } from '@nodecore/volumes';
import type { ExecutionContext } from 'ava';

import { Proofs } from '../src/proofs/proofs.ts';

const mib = 1 << 20;
const rooted = testWith(root);

async function* nothing(): AsyncGenerator<Inventory> {}

/** What an agent without a volume says of the disks that there are now. */
async function proofs(t: ExecutionContext): Promise<Proofs> {
  const manager = new VolumeManager({
    inventory: nothing(),
    intents: { get: async () => undefined, put: async () => {}, remove: async () => {} },
    machineUuid: '',
  });
  t.teardown(() => manager.stop());
  return new Proofs({ inventory: { value: await list() }, volumes: manager, isConfigured: () => true });
}

const { signal } = new AbortController();

rooted('a blank disk is proven empty, with all that was read', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 256 * mib });
  const proof = await (await proofs(t)).prove(basename(path), signal);
  t.like(proof, { device: basename(path), devPath: path, empty: true, reasons: [] });
  t.like(proof.receipt, { size: BigInt(256 * mib), users: [], found: [], unproven: [] });
  t.deepEqual(
    proof.receipt?.read.map(({ purpose }) => purpose),
    ['edges', 'backups', 'windows', 'extents'],
  );
});

rooted('data in the middle of a disk is found, with its place, and stays', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 256 * mib });
  await using file = await open(path, 'r+');
  const data = Buffer.from('not a filesystem');
  await file.write(data, 0, data.length, 128 * mib + 512);
  await file.sync();
  const proof = await (await proofs(t)).prove(path, signal);
  t.false(proof.empty);
  t.deepEqual(proof.reasons, [`it has data at byte ${128 * mib + 512}`]);
  t.deepEqual(proof.receipt?.found, proof.reasons);
  const { buffer } = await file.read(Buffer.alloc(data.length), 0, data.length, 128 * mib + 512);
  t.deepEqual(buffer, data);
});

rooted('a disk that somebody has open for himself alone is not empty', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
  await using _holder = await open(path, constants.O_RDONLY | constants.O_EXCL);
  const { empty, reasons } = await (await proofs(t)).prove(path, signal);
  t.false(empty);
  t.deepEqual(reasons, ['somebody has it open for exclusive use']);
});

rooted('two who ask for a proof at once do not find each other', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
  const all = await proofs(t);
  const answers = await Promise.all([all.prove(path, signal), all.prove(path, signal)]);
  t.deepEqual(
    answers.map(({ reasons }) => reasons),
    [[], []],
  );
});
