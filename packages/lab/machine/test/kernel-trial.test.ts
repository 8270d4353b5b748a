import { existsSync, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { kernelBoots } from '../src/index.ts';

const qemu = testWith(program('qemu-system-x86_64'));
const [found = ''] = globSync(join(import.meta.dirname, '../../../../.cache/kernels/*/vmlinuz'));

qemu('a kernel that comes up is told from one that hangs, and from what is none', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = join(home, 'trial');
  const trial = { kernel: found, directory, accelerator: 'tcg' } as const;
  t.true(await kernelBoots({ ...trial, limitMs: 240_000 }));
  t.false(existsSync(directory));
  const began = performance.now();
  t.false(await kernelBoots({ ...trial, limitMs: 300 }), 'it does not say in time that it came up');
  t.true(performance.now() - began < 30_000);
  t.false(existsSync(directory));
  const none = join(home, 'none');
  await writeFile(none, 'no kernel');
  t.false(await kernelBoots({ ...trial, kernel: none, limitMs: 240_000 }));
});

qemu('a trial that nobody wants any more says nothing', async (t) => {
  const home = await temporaryDirectory(t);
  const trial = { kernel: found, directory: join(home, 'trial'), accelerator: 'tcg' } as const;
  const signal = AbortSignal.abort(new Error('the keeper ends'));
  await t.throwsAsync(kernelBoots({ ...trial, signal }), { message: 'the keeper ends' });
});
