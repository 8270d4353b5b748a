import { hostname, networkInterfaces } from 'node:os';

import type { MachineRoot } from '@nodecore/config';

/** Every address and name by which this machine may be called. */
export function nodeNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [
    ...new Set([hostname(), 'localhost', ...addresses.map(({ address }) => address.split('%')[0] ?? '')]),
  ];
}

/** What its certificate says: those, and the ones of its configuration. */
export function certificateNames({ certSANs }: Pick<MachineRoot, 'certSANs'>): readonly string[] {
  return [...new Set([...nodeNames(), ...certSANs])];
}
