import type { Store } from '@nodecore/state';

import { kindOf } from '../resources/definitions.ts';
import { maintenanceStatuses } from './definitions.ts';

/** Resolves when the node waits for its first configuration; rejects with the signal's reason when it fires first. */
export async function maintenanceBegins(store: Pick<Store, 'watch'>, signal: AbortSignal): Promise<void> {
  const key = { ...kindOf(maintenanceStatuses), id: 'maintenance' };
  for await (const batch of store.watch(key, { id: key.id, signal }))
    if (batch.some((event) => event.type === 'created' || event.type === 'updated')) return;
  signal.throwIfAborted();
}
