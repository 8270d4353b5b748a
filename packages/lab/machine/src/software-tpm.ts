import type { ChildProcess } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { programNotFound, readyFile } from '@nodecore/sys';

import { MachineError } from './errors.ts';
import type { Starter } from './lifetime.ts';

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
 */
export async function startTpm(machine: string, directory: string, start: Starter): Promise<ChildProcess> {
  await mkdir(join(directory, stateDirectory), { recursive: true });
  await rm(join(directory, tpmSocket), { force: true });
  await rm(join(directory, pidFile), { force: true });
  const control = `type=unixio,path=${tpmSocket}`;
  const log = await open(join(directory, 'swtpm.log'), 'w');
  const child = await start(
    [
      'swtpm',
      'socket',
      '--tpm2',
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
