import { type Place } from './place.ts';
import { type ForeignMountOptions, type MountOptions } from './types.ts';

/** `secure` is on unless a document says otherwise. */
export function readMount(mount: Place | undefined): MountOptions {
  return {
    secure: mount?.get('secure')?.boolean() ?? true,
    disableAccessTime: mount?.get('disableAccessTime')?.boolean() ?? false,
  };
}

/** The block of a volume that was made elsewhere. */
export function readForeignMount(mount: Place | undefined): ForeignMountOptions {
  return { ...readMount(mount), readOnly: mount?.get('readOnly')?.boolean() ?? false };
}
