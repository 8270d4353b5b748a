import { createHash } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { cpus, release } from 'node:os';
import { join } from 'node:path';

import { writeFileAtomic } from '@nodecore/sys';

import type { Accelerator } from './qemu-arguments.ts';

/** How to learn whether KVM works here. */
export type AcceleratorTrial = {
  /** What is booted, such as the version of its kernel: another may get another verdict. */
  readonly guest: string;
  /** Where verdicts are kept. */
  readonly cache: string;
  /** Boots the guest with KVM and says whether it came up; rejects only when the question was given up. */
  readonly boots: () => Promise<boolean>;
};

/**
 * KVM when it proved itself with this guest on this machine, else software emulation.
 * /dev/kvm may exist, answer its version, even create a machine, and then hang the guest; only a boot tells.
 */
export async function chooseAccelerator({ guest, cache, boots }: AcceleratorTrial): Promise<Accelerator> {
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
  } catch {
    return 'tcg';
  }
  const file = join(cache, `accelerator-${await machineKey(guest)}`);
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known === 'kvm' || known === 'tcg') return known;
  const verdict: Accelerator = (await boots()) ? 'kvm' : 'tcg';
  await mkdir(cache, { recursive: true });
  await writeFileAtomic(file, verdict, { mode: 0o644 });
  return verdict;
}

/** The same cache may be used from several machines, and a machine may get another processor or kernel. */
async function machineKey(guest: string): Promise<string> {
  const id = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const facts = [id.trim(), cpus()[0]?.model ?? '', release(), String(process.getuid?.()), guest];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
}
