import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

/** A logical processor, as the kernel describes it. */
export type Processor = { readonly number: number; readonly facts: Readonly<Record<string, string>> };

/** `/proc/cpuinfo` (proc_cpuinfo(5)): a block for each processor that is switched on. What is said of all of them is in none. */
export function parseProcessors(text: string): readonly Processor[] {
  return text.split(/\n\s*\n/u).flatMap((block) => {
    const facts = Object.fromEntries(
      block.split('\n').flatMap((line) => {
        const [, name, value = ''] = /^([^:]*?)\s*:\s?(.*)$/u.exec(line) ?? [];
        return name === undefined || name === '' ? [] : [[name, value] as const];
      }),
    );
    const { processor, ...others } = facts;
    return /^\d+$/u.test(processor ?? '') ? [{ number: Number(processor), facts: others }] : [];
  });
}

/** How fast a processor runs; what its driver does not say is absent. */
export type ProcessorFrequency = {
  readonly number: number;
  readonly currentHertz?: bigint;
  readonly minimumHertz?: bigint;
  readonly maximumHertz?: bigint;
  readonly governor: string;
};

/** Of all processors whose frequency the kernel decides. @param directory `/sys/devices/system/cpu`. */
export async function processorFrequencies(directory: string): Promise<readonly ProcessorFrequency[]> {
  const numbers = (await readdir(directory))
    .flatMap((name) => /^cpu(\d+)$/u.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
  const all = await Promise.all(
    numbers.map(async (number) => {
      const place = join(directory, `cpu${number}/cpufreq`);
      const governor = await textOf(join(place, 'scaling_governor'));
      if (governor === undefined) return [];
      const [currentHertz, minimumHertz, maximumHertz] = await Promise.all(
        ['scaling_cur_freq', 'cpuinfo_min_freq', 'cpuinfo_max_freq'].map((file) =>
          hertzOf(join(place, file)),
        ),
      );
      return [
        {
          number,
          governor,
          ...(currentHertz !== undefined && { currentHertz }),
          ...(minimumHertz !== undefined && { minimumHertz }),
          ...(maximumHertz !== undefined && { maximumHertz }),
        },
      ];
    }),
  );
  return all.flat();
}

/** The files have kilohertz; `<unknown>` where the driver can't say. */
async function hertzOf(path: string): Promise<bigint | undefined> {
  const text = await textOf(path);
  return text !== undefined && /^\d+$/u.test(text) ? BigInt(text) * 1000n : undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    // Switched off meanwhile, or of a driver that has no such file, or does not answer now.
    if (['ENOENT', 'ENOTDIR', 'EBUSY', 'EIO', 'ENODEV'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
