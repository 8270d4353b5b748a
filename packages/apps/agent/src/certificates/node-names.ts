import { hostname, networkInterfaces } from 'node:os';

import type { MachineRoot } from '@nodecore/config';

/**
 * Every address and name by which this machine may be called. Link-local addresses of IPv6 are none: they need a zone, which no
 * certificate has, and each container brings one.
 */
export function nodeNames(interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): string[] {
  const addresses = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .map(({ address }) => address.split('%')[0] ?? '')
    .filter((address) => !/^fe[89ab]/iu.test(address));
  return [...new Set([hostname(), 'localhost', ...addresses])];
}

/** What its certificate says: those, and the ones of its configuration. */
export function certificateNames({ certSANs }: Pick<MachineRoot, 'certSANs'>): readonly string[] {
  return [...new Set([...nodeNames(), ...certSANs])];
}

/** Whether both are the same names. */
export function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return String(one.toSorted()) === String(other.toSorted());
}
