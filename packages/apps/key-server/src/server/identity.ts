import type { X509Certificate } from 'node:crypto';

import { canonicalUuid } from './node-uuid.ts';

/**
 * The nodes that a client certificate is for: its names of the form `urn:uuid:…` (RFC 9562, 4). A name rather than a
 * part of the subject, because an authority checks the names that it signs.
 */
export function nodesOf({
  subjectAltName = '',
}: Pick<X509Certificate, 'subjectAltName'>): ReadonlySet<string> {
  const nodes = new Set<string>();
  // Node.js quotes a value that has a comma or a quote in it, so that no value can pass for several.
  for (const [, kind, value = ''] of subjectAltName.matchAll(
    /(?:^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)/gy,
  )) {
    const uuid = kind === 'URI' ? /^urn:uuid:(.{36})$/i.exec(value)?.[1] : undefined;
    const canonical = uuid === undefined ? undefined : canonicalUuid(uuid);
    if (canonical !== undefined) nodes.add(canonical);
  }
  return nodes;
}

/** The subject on one line, as it stands in the audit log. */
export function subjectOf({ subject }: Pick<X509Certificate, 'subject'>): string {
  return (subject ?? '').replaceAll('\n', ', ').slice(0, 200);
}
