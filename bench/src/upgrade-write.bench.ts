import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { mounts } from '@nodecore/block';
import { BootPartition } from '@nodecore/boot';
import { fileView } from '@nodecore/view';

import { runProgram, sparseFile } from './program.ts';
import { ask, type Bench } from './question.ts';

const mib = 1 << 20;
/** As large as the boot image of a release with Secure Boot. */
const ukiBytes = 84 * mib;
const espBytes = 512 * mib;

export const bench: Bench = {
  async prepare(stack) {
    const image = await sparseFile(stack, espBytes);
    const device = (await runProgram(['losetup', '--find', '--show', image])).trim();
    stack.defer(async () => void (await runProgram(['losetup', '--detach', device])));
    await runProgram(['mkfs.ext4', '-q', '-F', device]);
    const target = join(dirname(image), 'esp');
    await mounts.mount({ source: device, target, type: 'ext4' });
    stack.defer(() => mounts.unmount(target));
    const directory = join(target, 'EFI', 'Linux');
    await mkdir(directory, { recursive: true });
    const source = join(dirname(image), 'source.efi');
    const content = randomBytes(ukiBytes);
    await writeFile(source, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const uki = await fileView(source);
    let sequence = 0;
    /** @returns where it is. */
    const written = async (): Promise<string> => {
      sequence += 1;
      const entry = { imageVersion: '1.14.1', sequence, uki, sha256 };
      return join(directory, (await BootPartition.open(directory).write(entry)).name);
    };
    const copied = async (): Promise<string> => {
      const copy = join(directory, 'copy.efi');
      await runProgram(['cp', source, copy]);
      await runProgram(['sync', '-f', copy]);
      return copy;
    };
    // The same proof as ours: the digest of what was given, and of what the disk has.
    const proven = async (): Promise<string> => {
      const copy = await copied();
      await runProgram(['dd', `if=${copy}`, 'iflag=nocache', 'count=0', 'status=none']);
      const [given, stored] = (await runProgram(['sha256sum', source, copy])).match(/^[0-9a-f]{64}/gmu) ?? [];
      if (given !== sha256 || stored !== sha256) throw new Error(`${copy} is not what was given`);
      return copy;
    };
    const timed = async (write: () => Promise<string>): Promise<number> => {
      const started = performance.now();
      const path = await write();
      const elapsedMs = performance.now() - started;
      await rm(path);
      await runProgram(['sync', '-f', directory]);
      await runProgram(['sync', '-f', image]);
      return elapsedMs;
    };
    const side = (name: string, write: () => Promise<string>) => {
      return { name, run: () => digested(write), sample: () => timed(write) };
    };
    return [
      ask({
        name: 'upgrade-write',
        question:
          'How long does a boot image take to its partition, flushed, read back and compared, here and with programs?',
        gate: 1.3,
        ours: side('BootPartition.write', written),
        peer: side('cp, sync -f, sha256sum', proven),
      }),
      ask({
        name: 'upgrade-write-copy',
        question:
          'How long does a boot image take to its partition, hashed, flushed, read back and compared, against a copy that is only flushed?',
        gate: 2.8, // docs/decisions/upgrade-write.md: a proof is never below 1.6
        ours: side('BootPartition.write', written),
        peer: side('cp, sync -f', copied),
      }),
    ];
  },
};

/** @param write gives the path of what it has written. */
async function digested(write: () => Promise<string>): Promise<string> {
  const path = await write();
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  await rm(path);
  return digest;
}
