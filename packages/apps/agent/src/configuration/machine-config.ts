import { redact } from '@nodecore/config';
import type { Store } from '@nodecore/state';

import type { Numbered } from './configurator-parts.ts';
import type { Persisted } from './persisted.ts';
import { machineConfigs } from './definitions.ts';
import { kindOf } from '../resources/definitions.ts';

const owner = 'machine-config';

/** Publishes the machine configuration, without its secrets: `v1alpha1` is active, `persistent` survives a reboot. */
export function publishConfiguration(
  store: Store,
  active: Numbered | undefined,
  persisted: Persisted | undefined,
): void {
  if (active !== undefined) publish(store, 'v1alpha1', active.configuration.text, active.version);
  if (persisted === undefined) return;
  publish(store, 'persistent', persisted.text.bytes.toString('utf8'), persisted.version);
}

function publish(store: Store, id: string, text: string, version: number): void {
  const key = { ...kindOf(machineConfigs), id };
  store.modify(key, () => redact(text), { owner, version });
}
