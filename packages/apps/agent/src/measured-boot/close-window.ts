import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf, writeFileAtomic } from '@nodecore/sys';
import * as tpm from '@nodecore/tpm';

/** The register that holds what was booted, and how far the boot is. */
const register = 11;
/** Measured when nothing of the system itself needs a key any more; without a NUL at the end. */
const phase = 'start-the-world';

/** What became of it. */
export type Closing = 'closed' | 'was closed' | 'no TPM';

export type ClosingOptions = {
  /** Remembers, until the next boot, what the register was before: a restart of the agent measures nothing twice. */
  readonly mark: string;
  readonly open?: () => Promise<tpm.Tpm>;
};

/**
 * Extends PCR 11 with `start-the-world`: keys that are sealed to the boot come out no more before the next one. Once a boot,
 * however often the agent starts and wherever it was killed.
 *
 * @throws {TpmError} when the TPM is there and does not do it.
 */
export async function closeWindow({ mark, open = () => tpm.open() }: ClosingOptions): Promise<Closing> {
  let connection: tpm.Tpm;
  try {
    connection = await open();
  } catch (error) {
    if (codeOf(error) === 'ERR_TPM_NOT_FOUND') return 'no TPM';
    throw error;
  }
  await using _closed = connection;
  const value = await valueOf(connection);
  const before = await markOf(mark);
  if (before !== undefined && before !== value) return 'was closed';
  if (before === undefined) {
    await mkdir(dirname(mark), { recursive: true });
    await writeFileAtomic(mark, `${value}\n`);
  }
  await connection.extendPcr(register, createHash('sha256').update(phase).digest());
  return 'closed';
}

async function valueOf(connection: tpm.Tpm): Promise<string> {
  const values = await connection.readPcrs([register]);
  return Buffer.from(values.get(register) ?? []).toString('hex');
}

async function markOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
