import { isIP } from 'node:net';

import type * as X509 from '@peculiar/x509';

/** The extension that names a machine by its UUID, as RFC 9562 writes it in a URI. */
export function uuidName(library: typeof X509, uuid: string): X509.SubjectAlternativeNameExtension {
  return new library.SubjectAlternativeNameExtension([{ type: 'url', value: `urn:uuid:${uuid}` }]);
}

/** The extension for IP addresses and DNS names, or none. */
export function alternativeNames(
  library: typeof X509,
  names: readonly string[],
): X509.SubjectAlternativeNameExtension[] {
  if (names.length === 0) return [];
  const entries = names.map((value) => ({
    type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
    value,
  }));
  return [new library.SubjectAlternativeNameExtension(entries)];
}
