import { readdir } from 'node:fs/promises';

import { type Configuration, documentOf, type Problem } from '@nodecore/config';
import { codeOf } from '@nodecore/sys';
import { systemTarget, type VolumeStatus } from '@nodecore/volumes';

import { ApplyError } from './errors.ts';

/** What is a directory of EPHEMERAL until a document gives it a partition of its own. */
const promotable = ['ETCD', 'CRI', 'KUBELET', 'LOG'] as const;
/** In /var/log: what the node's services have printed. */
const logs = 'os';

export type LiveDirectories = {
  readonly statuses: readonly VolumeStatus[];
  readonly mountRoot: string;
};

/**
 * Refuses a partition for what is a directory with data now: mounted over it, the partition would hide that data, and
 * programs would begin with nothing. An empty directory has nothing to hide. As long as EPHEMERAL is not there this is
 * unknown, and refused, too.
 *
 * @param active what holds until now; undefined: nothing was configured, and everything was a directory.
 * @throws {ApplyError} `ERR_APPLY_REFUSED` with every such volume.
 */
export async function checkDirectories(
  configuration: Configuration,
  active: Configuration | undefined,
  { statuses, mountRoot }: LiveDirectories,
): Promise<void> {
  const ephemeral = statuses.find(({ id }) => id === 'EPHEMERAL');
  if (ephemeral === undefined) return;
  const isThere = ephemeral.phase === 'ready';
  if (!isThere && active === undefined) return; // the configuration that it waits for
  const problems: Problem[] = [];
  for (const name of promotable) {
    const volume = configuration.systemVolume(name);
    const was = active?.systemVolume(name).volumeType ?? 'directory';
    if (volume.volumeType !== 'partition' || was === 'partition') continue;
    const path = systemTarget(name, mountRoot);
    if (isThere && (await isEmpty(path, name === 'LOG' ? logs : undefined))) continue;
    const message = isThere
      ? `${path} is a directory of EPHEMERAL with data, which an empty partition would hide: ` +
        'stop what uses it, move its content away, apply this again, and move the content back'
      : `${path} is a directory of EPHEMERAL, and whether it holds data, which an empty partition would hide, nobody ` +
        'knows before EPHEMERAL is mounted: apply this again when it is ready (osctl get volumestatus EPHEMERAL)';
    const code = isThere ? 'volume.directory_in_use' : 'volume.directory_unknown';
    problems.push({ code, document: documentOf(volume), path: 'provisioning', message, line: 0, column: 0 });
  }
  const [first] = problems;
  if (first === undefined) return;
  throw new ApplyError('ERR_APPLY_REFUSED', `${first.document}: ${first.message}`, problems);
}

/** @param own of the node: it goes before the partition is mounted. */
async function isEmpty(path: string, own?: string): Promise<boolean> {
  try {
    return (await readdir(path)).every((name) => name === own);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}
