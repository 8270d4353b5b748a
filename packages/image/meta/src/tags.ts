import { parseJson } from '@nodecore/sys/pure';

import { MetaError } from './errors.ts';

/**
 * What a tag of META holds. 0 to 31 are keys that users know by number, in schematics and in calls; from 0x20 on they
 * are the node's own, hold JSON, and nobody else reads or writes them.
 */
export const metaTag = {
  /** The entry to return to after an upgrade. */
  upgrade: 6,
  /** The installer image of an upgrade that waits for a reboot. */
  stagedImage: 7,
  /** How that image is to be installed, as JSON. */
  stagedOptions: 8,
  /** How STATE is encrypted, as JSON: kinds and slots of its keys, and behind it the passphrases that may be there. */
  stateEncryption: 9,
  /** Configuration of the network before there is any other, as YAML. */
  network: 10,
  /** What takes the place of `${code}` in the URL of a configuration. */
  downloadCode: 11,
  userReserved1: 12,
  userReserved2: 13,
  userReserved3: 14,
  /** Text that takes the place of the machine's UUID. */
  machineUuid: 15,
  /** Shows the fleet that it is the machine it knows. */
  machineToken: 16,
  /** The boot loader of the disk image, until the first boot. */
  diskImageBootloader: 17,
  /** The entries of the boot menu: digests, states, and why the last one failed. 0x20 to 0x2f are the boot's. */
  bootRecord: 0x20,
  /** An entry whose kernel was started without the firmware, until that boot is ready; of one that never was, that it failed. */
  kexec: 0x21,
  /** A reset that is not complete. */
  reset: 0x30,
  /** The machine's key and certificate on the fleet's link. */
  linkIdentity: 0x31,
} as const;

/** Whether users may know, read and write this tag. */
export function isPublicTag(tag: number): boolean {
  return Number.isInteger(tag) && tag >= 0 && tag < 0x20;
}

/** Whether the value is for administrators only: it opens STATE, or it proves who the machine is. */
export function isSensitiveTag(tag: number): boolean {
  return tag === metaTag.stateEncryption || tag === metaTag.machineToken || !isPublicTag(tag);
}

/** The value of one of the node's own tags. */
export function encodeJsonValue(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/**
 * The value of one of the node's own tags; undefined when it has none.
 *
 * @throws {MetaError} `ERR_META_VALUE`: what is not understood must not pass for nothing.
 */
export function decodeJsonValue(tag: number, bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    return parseJson(Buffer.from(bytes).toString());
  } catch (cause) {
    throw new MetaError('ERR_META_VALUE', `META: the value of tag 0x${tag.toString(16)} is not JSON`, {
      cause,
    });
  }
}
