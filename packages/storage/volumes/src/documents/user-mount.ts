import { join } from 'node:path';

import type { MountSpec } from '../spec.ts';

/** Where volumes of users are mounted. */
export type UserPlace = { readonly mountRoot: string; readonly parent?: string };

/** Below `/var/mnt`. */
export function userMount(
  name: string,
  { mountRoot, parent }: UserPlace,
): Pick<MountSpec, 'target' | 'parent'> {
  return { target: join(mountRoot, 'var/mnt', name), ...(parent === undefined ? {} : { parent }) };
}
