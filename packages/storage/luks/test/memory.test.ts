import { writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, keyslots, LuksError, testKey } from '../src/index.ts';
import { mapPopulated, unmap } from '../src/ffi-memory.ts';
import { freeMemory, type Mapper } from '../src/free-memory.ts';
import { requireMemory } from '../src/memory.ts';
import { type MemorySource, Secret, unusedMemoryKib } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { cheap, imageFile } from './image.ts';
import { copyBytes, reseal } from './raw-header.ts';

/** A kernel's answers, as files; the first lines are those of Linux 6.1. */
async function kernel(t: ExecutionContext): Promise<MemorySource> {
  const directory = await temporaryDirectory(t);
  const proc = join(directory, 'proc');
  await mkdir(join(proc, 'self'), { recursive: true });
  await writeFile(
    join(proc, 'meminfo'),
    'MemTotal:        2000000 kB\nMemFree:          100000 kB\nMemAvailable:     800000 kB\n' +
      'SwapCached:            0 kB\nSwapTotal:        50000 kB\nSwapFree:          20000 kB\n',
  );
  await writeFile(join(proc, 'self/cgroup'), '0::/system.slice/agent.service\n');
  return { proc, cgroup: join(directory, 'cgroup') };
}

test('a derivation that can not have its memory is refused with both figures', async (t) => {
  const source = await kernel(t);
  await t.notThrowsAsync(requireMemory('/dev/vdb', 820_000, source));
  await t.throwsAsync(requireMemory('/dev/vdb', 820_001, source), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_MEMORY',
    message: '/dev/vdb: the key derivation needs 820001 KiB of memory, 820000 KiB are available',
  });
});

test('a derivation without memory asks nobody', async (t) => {
  await t.notThrowsAsync(requireMemory('/dev/vdb', 0, { proc: '/nowhere', cgroup: '/nowhere' }));
});

/** A kernel that takes from what is unused until nothing is, and then from its page cache. */
async function cached(
  t: ExecutionContext,
  { unusedMib, cacheMib }: { readonly unusedMib: number; readonly cacheMib: number },
): Promise<{ source: MemorySource; mapper: Mapper; held: number[]; unusedKib: () => Promise<number> }> {
  let [unused, cache] = [unusedMib << 10, cacheMib << 10];
  const source = await kernel(t);
  const tell = (): void =>
    writeFileSync(
      join(source.proc, 'meminfo'),
      `MemFree: ${unused} kB\nMemAvailable: ${unused + cache} kB\nSwapFree: 0 kB\n`,
    );
  tell();
  const held: number[] = [];
  const mapper: Mapper = {
    map: async (sizeBytes) => {
      const sizeKib = sizeBytes >> 10;
      if (sizeKib > unused + cache) throw new Error('somebody is killed');
      const fromUnused = Math.min(unused, sizeKib);
      unused -= fromUnused;
      cache -= sizeKib - fromUnused;
      tell();
      return BigInt(held.push(sizeKib));
    },
    unmap: (address, sizeBytes) => {
      held[Number(address) - 1] = 0;
      unused += sizeBytes >> 10;
      tell();
    },
  };
  return { source, mapper, held, unusedKib: () => unusedMemoryKib(source) };
}

test('the page cache is given up for memory that is asked for, and all of that is given back', async (t) => {
  const { source, mapper, held, unusedKib } = await cached(t, { unusedMib: 200, cacheMib: 3000 });
  t.true(await freeMemory(2 << 20, source, mapper));
  t.true((await unusedKib()) >= 2 << 20);
  t.true(held.length > 0 && held.every((sizeKib) => sizeKib === 0));
});

test('where enough is free already, nothing is asked for', async (t) => {
  const { source, mapper, held } = await cached(t, { unusedMib: 2200, cacheMib: 0 });
  t.true(await freeMemory(2 << 20, source, mapper));
  t.deepEqual(held, []);
});

test('what is not available is never asked for, and what was is given back', async (t) => {
  const { source, mapper, held } = await cached(t, { unusedMib: 200, cacheMib: 1000 });
  t.false(await freeMemory(2 << 20, source, mapper));
  t.true(held.length > 0 && held.every((sizeKib) => sizeKib === 0));
  t.false(await freeMemory(2 << 20, source, { ...mapper, map: async () => undefined }));
});

test('memory of this machine is taken and given back', async (t) => {
  const address = await mapPopulated(1 << 20);
  t.true(address !== undefined && address > 0n);
  unmap(address ?? 0n, 1 << 20);
  t.is(await mapPopulated(2 ** 52), undefined);
});

test('a keyslot from a larger machine is not tried, and the others still open', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  using second = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  await keyslots.add(path, { existing: key, key: second, slot: 5, pbkdf: { ...cheap, memoryKib: 64 } });
  // Two tebibytes in keyslot 0: no machine that runs this test has them.
  await reseal(path, [0, copyBytes], (json) => json.replace('"memory":32,', '"memory":2147483647,'));
  const refused = {
    instanceOf: LuksError,
    code: 'ERR_LUKS_MEMORY',
    message: /needs 2147483647 KiB of memory, \d+ KiB/,
  };
  await t.throwsAsync(testKey(path, { key, slot: 0 }), refused);
  await t.throwsAsync(testKey(path, { key }), refused);
  t.is(await testKey(path, { key: second }), 5);
  t.is(await testKey(path, { key: second, slot: 5 }), 5);
  await keyslots.remove(path, { slot: 0, remaining: second });
  t.is(await testKey(path, { key: second }), 5);
});
