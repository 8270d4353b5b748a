import { type ChildProcess, execFile } from 'node:child_process';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { codeOf, programNotFound, readyFile } from '@nodecore/sys';

import { MachineError } from './errors.ts';
import type { Starter } from './lifetime.ts';
import type { MachineSpec, PcrBank } from './spec.ts';

/** Name of the control socket in the state directory; short, because socket paths end at 107 bytes. */
export const tpmSocket = 'tpm.sock';

const pidFile = 'tpm.pid';
const stateDirectory = 'tpm';

/** Forgets the TPM: the next one that is started has other seeds. It must not run. */
export async function removeTpmState(directory: string): Promise<void> {
  await rm(join(directory, stateDirectory), { recursive: true, force: true });
}

/**
 * Starts swtpm with its state in `<directory>/tpm`. It serves one QEMU and ends with it; its state stays.
 * The pid file is written when the socket listens.
 *
 * @param spec of the machine: banks are those that a new TPM has, by default all that swtpm knows.
 */
export async function startTpm(
  { name: machine, pcrBanks: banks, tpmVersion }: Pick<MachineSpec, 'name' | 'pcrBanks' | 'tpmVersion'>,
  directory: string,
  start: Starter,
): Promise<ChildProcess> {
  if (banks !== undefined) await makeState(machine, directory, banks);
  await mkdir(join(directory, stateDirectory), { recursive: true });
  await rm(join(directory, tpmSocket), { force: true });
  await rm(join(directory, pidFile), { force: true });
  const control = `type=unixio,path=${tpmSocket}`;
  const log = await open(join(directory, 'swtpm.log'), 'w');
  const child = await start(
    [
      'swtpm',
      'socket',
      ...(tpmVersion === '1.2' ? [] : ['--tpm2']),
      '--tpmstate',
      `dir=${stateDirectory}`,
      '--ctrl',
      control,
      '--pid',
      `file=${pidFile}`,
      '--terminate',
    ],
    ['ignore', 'ignore', log.fd],
  );
  try {
    await readyFile(child, join(directory, pidFile), (code) => {
      const why =
        code === programNotFound ? 'swtpm is not installed: run scripts/setup' : 'swtpm ended at once';
      return new MachineError('ERR_MACHINE_START', machine, why);
    });
    return child;
  } finally {
    await log.close();
  }
}

/** Makes the state of a TPM with these banks alone, where there is none. A state that was begun and not completed is made anew. */
async function makeState(machine: string, directory: string, banks: readonly PcrBank[]): Promise<void> {
  const [state, made] = [join(directory, stateDirectory), join(directory, `${stateDirectory}.new`)];
  if (await isThere(state)) return;
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  const flags = ['--tpm2', '--tpmstate', made, '--pcr-banks', banks.join(',')];
  try {
    await promisify(execFile)('swtpm_setup', flags);
  } catch (cause) {
    const isMissing = codeOf(cause) === 'ENOENT';
    const { stdout = '' } = cause as { stdout?: string };
    const why = isMissing
      ? 'swtpm_setup is not installed: run scripts/setup'
      : `swtpm_setup: ${stdout.trim()}`;
    throw new MachineError('ERR_MACHINE_START', machine, why, { cause });
  }
  await rename(made, state);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
