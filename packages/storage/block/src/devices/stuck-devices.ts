import { BlockError } from '../errors.ts';

/** Which device: where its node is, and what tells it from one that had the name before. */
export type Device = { readonly path: string; readonly identity: string };

/** Each hanging device holds a thread. Beyond this nothing more is asked until one returns. */
const maxStuck = 64;

/** What did not return in time, by device; of the whole process, so that no device is asked again before it answers. */
const stuck = new Map<string, Promise<void>>();

/** What a device owes; resolves when that returns. */
export function stuckCall({ identity }: Device): Promise<void> | undefined {
  return stuck.get(identity);
}

/** @throws {BlockError} `ERR_BLOCK_UNRESPONSIVE`: it would only hang one more thread. */
export function refuseStuck({ path, identity }: Device): void {
  const hangs = stuck.has(identity);
  if (!hangs && stuck.size < maxStuck) return;
  const why = hangs ? 'an earlier call has not returned' : `${stuck.size} other devices hang`;
  throw new BlockError('ERR_BLOCK_UNRESPONSIVE', path, `${path}: ${why}`);
}

/** From now until the call returns the device counts as stuck. @returns that moment. */
export function rememberStuck({ identity }: Device, call: Promise<unknown>): Promise<void> {
  const forget = (): void => {
    if (stuck.get(identity) === returned) stuck.delete(identity);
  };
  const returned = call.then(forget, forget);
  stuck.set(identity, returned);
  return returned;
}
