import { join } from 'node:path';

import { fieldsOf, type Store } from '@nodecore/state';

import { kindOf } from '../resources/definitions.ts';
import { mountStatuses } from '../volumes/definitions.ts';

/** Below /var/log, which containers have directories in, too. */
const ownName = 'os';

/**
 * The directory for logs that outlive the boot; undefined while there is none. Where LOG is to have a partition nothing is written
 * to the directory that this will hide.
 */
export function logDirectory(store: Pick<Store, 'get'>, hasPartition: boolean): string | undefined {
  const log = mountedAt(store, 'LOG');
  if (hasPartition) return log && join(log, ownName);
  const ephemeral = mountedAt(store, 'EPHEMERAL');
  return ephemeral && join(ephemeral, 'log', ownName);
}

function mountedAt(store: Pick<Store, 'get'>, id: string): string | undefined {
  const status = store.get({ ...kindOf(mountStatuses), id });
  const { phase, target } = fieldsOf(status?.spec ?? {});
  return phase === 'mounted' && typeof target === 'string' ? target : undefined;
}
