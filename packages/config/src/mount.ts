import { type Cursor } from './cursor.ts';
import { type MountOptions } from './types.ts';

/** `secure` is on unless a document says otherwise. */
export function readMount(mount: Cursor | undefined): MountOptions {
  return {
    secure: mount?.get('secure')?.boolean() ?? true,
    disableAccessTime: mount?.get('disableAccessTime')?.boolean() ?? false,
  };
}
