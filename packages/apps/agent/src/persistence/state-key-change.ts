import type { Configuration, KeyEntry } from '@nodecore/config';
import { sameKeys } from '@nodecore/volumes';

import type { StateKeys } from './state-encryption.ts';

/**
 * What META has to know before a configuration's keys may reach the keyslots of STATE: its keys, and those that are
 * there now, so that a power cut at any moment leaves a record that opens STATE.
 */
export function configuredKeys(before: StateKeys, configuration: Configuration): StateKeys {
  const { encryption } = configuration.systemVolume('STATE');
  // A configuration in clear makes no encrypted STATE a clear one: it stays to be opened until another one is made.
  if (encryption === undefined) return before;
  const known = [...(before.encryption?.keys ?? []), ...before.previousKeys];
  return withRoots(
    { encryption, previousKeys: without(known, encryption?.keys ?? []) },
    before,
    configuration,
  );
}

/** The same for a configuration on trial: what opens STATE at the next boot stays what it is. */
export function triedKeys(before: StateKeys, configuration: Configuration): StateKeys {
  const { encryption } = before;
  const tried = configuration.systemVolume('STATE').encryption?.keys ?? [];
  const others = [...before.previousKeys, ...tried];
  return withRoots(
    { encryption, previousKeys: without(others, encryption?.keys ?? []) },
    before,
    configuration,
  );
}

/** What is left when the keys of the configuration are in their keyslots, and nothing else is. */
export function settledKeys(configuration: Configuration): StateKeys {
  const { encryption } = configuration.systemVolume('STATE');
  const none = { encryption: undefined, previousKeys: [], roots: [] };
  return withRoots({ encryption, previousKeys: [] }, none, configuration);
}

/** Each once, and without those that are configured anyway. */
function without(keys: readonly KeyEntry[], configured: readonly KeyEntry[]): readonly KeyEntry[] {
  const others: KeyEntry[] = [];
  for (const key of keys) {
    const isKnown = [...configured, ...others].some((other) => sameKeys([other], [key]));
    if (!isKnown) others.push(key);
  }
  return others;
}

/** Authorities of the configuration are not to be had before STATE is open: those of key servers are copied. */
function withRoots(
  { encryption, previousKeys }: Omit<StateKeys, 'roots'>,
  before: StateKeys,
  configuration: Configuration,
): StateKeys {
  const asksServer = [...(encryption?.keys ?? []), ...previousKeys].some(({ kind }) => kind === 'kms');
  const configured = configuration.all('TrustedRootsConfig').flatMap(({ certificates }) => certificates);
  const roots = asksServer ? [...new Set([...configured, ...before.roots])] : [];
  return { encryption, previousKeys, roots };
}
