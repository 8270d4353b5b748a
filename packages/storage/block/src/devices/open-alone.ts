import { codeOf } from '@nodecore/sys';

import { DeviceFile } from './device-file.ts';
import { usersOf } from './device-users.ts';
import { BlockError } from '../errors.ts';

/**
 * Opens a disk or partition to change it, for nobody else to use meanwhile.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY` with who uses it.
 */
export async function openAlone(path: string): Promise<DeviceFile> {
  try {
    const device = await DeviceFile.open(path, { write: true, exclusive: true });
    const users = await othersOf(device);
    if (users.length === 0) return device;
    await device.close();
    throw busy(path, users);
  } catch (error) {
    if (codeOf(error) !== 'ERR_BLOCK_BUSY' || error instanceof Busy) throw error;
    await using device = await DeviceFile.open(path);
    throw busy(path, await othersOf(device));
  }
}

/** Partitions of a disk use it only when somebody uses them, and then it does not open for one alone. */
async function othersOf(device: DeviceFile): Promise<string[]> {
  return (await usersOf(device)).filter((user) => !user.startsWith('the kernel has partition'));
}

/** A busy device whose users have been asked for. */
class Busy extends BlockError {}

function busy(path: string, users: readonly string[]): Busy {
  const who = users.length === 0 ? 'somebody, or one of its partitions, has it' : users.join('; ');
  return new Busy('ERR_BLOCK_BUSY', path, `${path} is in use: ${who}`, { reasons: users });
}
