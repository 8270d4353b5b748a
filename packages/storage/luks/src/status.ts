import { constants } from 'node:os';

import { CRYPT_ACTIVE, CRYPT_BUSY, CRYPT_INACTIVE, CRYPT_LUKS2 } from './constants.ts';
import { LuksError, unsupported } from './errors.ts';
import type { ActiveDeviceStruct } from './ffi.ts';
import { fromBits, type MappingFlag } from './flags.ts';
import { Handle } from './handle.ts';
import { call } from './log.ts';
import { exclusively } from './queue.ts';

/** An active mapping as the kernel has it, not as anybody configured it. */
export type ActiveMapping = {
  readonly name: string;
  readonly path: string;
  /** The device below. */
  readonly device: string;
  readonly cipher: string;
  readonly keySizeBits: number;
  readonly sectorSize: number;
  readonly flags: readonly MappingFlag[];
  /** UUID of the header that the mapping was opened from; empty when that header is no longer on the device. */
  readonly uuid: string;
  /** Something has it open: a filesystem, another mapping, a program. */
  readonly inUse: boolean;
};

export type StatusOptions = { readonly signal?: AbortSignal };

/** Where a mapping appears. */
export function mappingPath(name: string): string {
  return `/dev/mapper/${name}`;
}

/** device-mapper allows 127 bytes; a slash would lead out of its directory. */
export function checkName(name: string): void {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || Buffer.byteLength(name) > 127) {
    throw unsupported(name, 'not a name of a mapping');
  }
}

/**
 * What is mapped under a name.
 *
 * @returns undefined when nothing is.
 * @throws {LuksError} `ERR_LUKS_UNSUPPORTED` when device-mapper can't be asked, or the mapping is not dm-crypt.
 */
export async function status(name: string, options: StatusOptions = {}): Promise<ActiveMapping | undefined> {
  checkName(name);
  return await exclusively({ device: mappingPath(name), signal: options.signal }, () => readStatus(name));
}

/** {@link status} for callers that already have their turn. */
export async function readStatus(name: string): Promise<ActiveMapping | undefined> {
  const state = await mappingState(name);
  if (state === 'inactive') return undefined;
  await using handle = await Handle.openMapping(name);
  const active: ActiveDeviceStruct = { offset: 0, iv_offset: 0, size: 0, flags: 0 };
  const { EINVAL } = constants.errno;
  await handle.check('crypt_get_active_device', { [EINVAL]: 'ERR_LUKS_UNSUPPORTED' }, name, active);
  const cipher = handle.text('crypt_get_cipher');
  if (cipher === '') throw unsupported(name, 'a mapping without encryption');
  // The library drops the type when the header below carries another UUID than the mapping.
  const belongs = handle.text('crypt_get_type') === CRYPT_LUKS2;
  return {
    name,
    path: mappingPath(name),
    device: handle.text('crypt_get_device_name'),
    cipher: `${cipher}-${handle.text('crypt_get_cipher_mode')}`,
    keySizeBits: handle.volumeKeySizeBits,
    sectorSize: handle.sectorSize,
    flags: fromBits(active.flags),
    uuid: belongs ? handle.text('crypt_get_uuid') : '',
    inUse: state === 'busy',
  };
}

/** Asks device-mapper only; call it inside the queue. */
export async function mappingState(name: string): Promise<'inactive' | 'active' | 'busy'> {
  switch (await call('crypt_status', null, name)) {
    case CRYPT_INACTIVE:
      return 'inactive';
    case CRYPT_ACTIVE:
      return 'active';
    case CRYPT_BUSY:
      return 'busy';
    default:
      throw new LuksError(
        'ERR_LUKS_UNSUPPORTED',
        name,
        '',
        `crypt_status of ${name}: device-mapper does not answer`,
      );
  }
}
