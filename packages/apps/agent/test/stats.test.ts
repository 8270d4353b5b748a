import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

const disk = (name: string, reads: number): string => `8 0 ${name} ${reads} 0 0 0 0 0 0 0 0 0 0\n`;
const line = (name: string, bytes: number): string => `${name}: ${bytes} ${'0 '.repeat(15)}\n`;

test('the total of disks counts each transfer once: without partitions, mappings and loops', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(
    join(directory, 'diskstats'),
    disk('sda', 1) + disk('sda1', 10) + disk('dm-0', 100) + disk('loop0', 1_000) + disk('cciss/c0d0', 10_000),
  );
  for (const path of ['sda/slaves', 'dm-0/slaves/sda1', 'loop0', 'cciss!c0d0'])
    await mkdir(join(directory, 'block', path), { recursive: true });
  const { insecure } = await apiNode(t, { stats: { proc: directory, sys: directory } });
  const { total, devices } = await insecure().counters.disks();
  t.is(total?.reads, 10_001n);
  t.deepEqual(
    devices.map(({ name }) => name),
    ['sda', 'sda1', 'dm-0', 'loop0', 'cciss/c0d0'],
  );
});

test('the total of interfaces is without loopback', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'net'));
  await writeFile(join(directory, 'net/dev'), line('lo', 1) + line('eth0', 10) + line('lowpan', 100));
  const { insecure } = await apiNode(t, { stats: { proc: directory } });
  const { total, devices } = await insecure().counters.interfaces();
  t.is(total?.receivedBytes, 110n);
  t.is(devices.length, 3);
});

test('all counters of this machine are there for readers, before the first configuration too', async (t) => {
  const { insecure } = await apiNode(t);
  const { counters } = insecure();
  const { values } = await counters.memory();
  t.truthy(values.find(({ name }) => name === 'MemTotal'));
  const { total, processors, bootTimeSeconds, contextSwitches } = await counters.system();
  t.is(total?.name, 'cpu');
  t.is(processors[0]?.name, 'cpu0');
  t.true(bootTimeSeconds > 1_500_000_000n && contextSwitches > 0n);
  t.true((await counters.loadAverage()).load15 >= 0);
  t.is((await counters.processors()).processors.length, processors.length);
  const frequencies = await counters.frequencies();
  t.true(frequencies.processors.length <= processors.length);
});

test('a kernel that does not say something is a failed call, and no zero', async (t) => {
  const { insecure } = await apiNode(t, { stats: { proc: await temporaryDirectory(t) } });
  await t.throwsAsync(insecure().counters.memory(), { code: 'ERR_API_FAILED' });
});

const drain = async (answers: AsyncIterable<unknown>): Promise<void> => {
  for await (const _answer of answers);
};

async function* archive() {
  yield { namespace: 'inmem' };
  yield { data: Buffer.alloc(1 << 20) };
}

test('every call for containers and images is refused with a code of its own', async (t) => {
  const { as } = await apiNode(t, { persisted: rootDocument(ca) });
  const { containers } = await as(['os:admin']);
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    list: () => containers.list('system'),
    stats: () => containers.stats('cri'),
    images: () => drain(containers.images('cri')),
    pull: () => drain(containers.pullImage({ namespace: 'cri', reference: 'a' })),
    import: () => containers.importImage(archive()),
    remove: () => containers.removeImage({ namespace: 'cri', reference: 'a' }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await t.throwsAsync(call, { code: 'ERR_API_CONFLICT' }, name);
    t.is((error as { reason?: string }).reason, 'ERR_CONTAINER_RUNTIME', name);
    t.regex(error.message, /no container runtime on this node/u);
  }
  const reader = await as(['os:reader']);
  await t.throwsAsync(reader.containers.importImage(archive()), { code: 'ERR_API_DENIED' });
});
