import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

/** How long tasks have waited for I/O, of all the machine (Documentation/accounting/psi.rst, the line `some`). */
export type IoPressure = {
  /** Microseconds since boot. Up to date at every read. */
  readonly totalMicros: bigint;
  /** Share of the last ten seconds, 0 to 1. */
  readonly recent: number;
};

/** Reads the pressure now; undefined where the kernel does not measure it. */
export type ReadPressure = () => Promise<IoPressure | undefined>;

/** Needs no privileges. Undefined where the kernel does not measure pressure; throws other errors of the read. */
export async function readIoPressure(path = '/proc/pressure/io'): Promise<IoPressure | undefined> {
  try {
    return parsePressure(await readFile(path, 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'EOPNOTSUPP') return undefined; // not built in, or booted with psi=0
    throw error;
  }
}

/** Reads the line `some` of a pressure file, whose average is in percent; undefined when it has no such line. */
export function parsePressure(text: string): IoPressure | undefined {
  const match = /^some avg10=(\d+\.\d+) .*total=(\d+)$/m.exec(text);
  if (match === null) return undefined;
  return { recent: Number(match[1]) / 100, totalMicros: BigInt(match[2] ?? 0) };
}
