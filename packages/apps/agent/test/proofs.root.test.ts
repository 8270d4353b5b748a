import { constants, open } from 'node:fs/promises';
import { basename } from 'node:path';

import { connect } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { type Inventory, list } from '@nodecore/block';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { VolumeManager } from '@nodecore/volumes';
import type { ExecutionContext } from 'ava';

import { clientConfig, osctl } from '../../osctl/test/command-line.ts';
import { authority } from '../../osctl/test/fake-node.ts';
import { Proofs } from '../src/proofs/proofs.ts';
import { AgentProcess } from './agent-process.ts';
import { rootDocument } from './documents.ts';

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

testWith(root, program('mkfs.ext4'))(
  'osctl asks a running agent why a disk is not empty, as an operator and not as a reader, and what it is made of',
  async (t) => {
    t.timeout(120_000);
    const { path } = await loopDevice(t, { sizeBytes: 768 * mib });
    await output(['mkfs.ext4', '-q', '-E', 'lazy_itable_init=1', path]);
    await output([
      'dd',
      'if=/dev/zero',
      `of=${path}`,
      'bs=1M',
      'count=1',
      'conv=fsync,notrunc',
      'status=none',
    ]);
    const agent = await AgentProcess.start(t, await temporaryDirectory(t));
    const anybody = connect({ endpoint: agent.endpoint, insecure: true });
    t.teardown(() => anybody.close());
    await anybody.applyConfiguration({ data: Buffer.from(rootDocument(authority)) });
    await discovered(t, agent, basename(path));

    const env = await clientConfig(t, { endpoints: [agent.endpoint], roles: ['os:operator'] });
    const { code, out, error } = await osctl(['get', 'disks', '--why', path], { env });
    t.is(error, '');
    t.is(code, 0);
    t.log(out);
    t.true(
      out.startsWith(`${agent.endpoint}: ${basename(path)}: not empty\n  it has a backup superblock of ext4`),
    );
    t.regex(out, /\nbackups looked for {8}ext4, xfs, /);

    const readers = await clientConfig(t, { endpoints: [agent.endpoint], roles: ['os:reader'] });
    const refused = await osctl(['get', 'disks', '--why', path], { env: readers });
    t.is(refused.out, '');
    t.regex(refused.error, /needs os:operator or os:admin, and the certificate has os:reader/);
    t.true(agent.lines.some((line) => line.includes('"action":"prove-empty"')));

    const graph = await osctl(['inspect', 'dependencies', '--with-resources'], { env: readers });
    t.is(graph.error, '');
    t.log(graph.out);
    for (const line of [
      '"discovery" -> "runtime/Disks.block.nodecore.dev" [style=bold];',
      '"runtime/MountStatuses.block.nodecore.dev" -> "trims" [style=dotted];',
      '"volumes" -> "configuration" [style=dashed];',
    ])
      t.true(graph.out.includes(line), line);
    t.log((await osctl(['inspect', 'dependencies'], { env: readers })).out);
  },
);

/** Waits until an agent has looked at a disk. */
async function discovered(t: ExecutionContext, agent: AgentProcess, id: string): Promise<void> {
  const { crt, key } = await pki.issueClient(authority, { roles: ['os:reader'] });
  const reader = connect({ endpoint: agent.endpoint, ca: authority.crt, crt, key });
  t.teardown(() => reader.close());
  for await (const { events } of reader.watch({ type: 'Disks.block.nodecore.dev' }))
    if (events.some(({ resource }) => resource?.metadata?.id === id)) return;
}
