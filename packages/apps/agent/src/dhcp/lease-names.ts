import { isIP } from 'node:net';

import type { Json } from '@nodecore/state';

const maxServers = 16;
const maxDomains = 32;
/** RFC 1123 with underscores, which networks use; at most 253 characters. */
const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const name = new RegExp(`^${label}(?:\\.${label})*\\.?$`, 'iu');

/**
 * What a lease says of names, from what `dhcpcd --dumplease` prints: `domain_name_servers=10.5.0.1 10.5.0.2`, a line for each
 * field. Undefined without a lease. Any server on the network may have written it: what is no address or name is left out.
 */
export function leaseNamesOf(text: string): Json | undefined {
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1).trim()] as const;
    }),
  );
  if (!isHeld(fields.get('reason') ?? '')) return undefined;
  const words = (field: string): string[] =>
    (fields.get(field) ?? '').split(/\s+/u).filter((word) => word !== '');
  const addresses = (field: string): string[] =>
    unique(words(field).filter((word) => isIP(word) !== 0)).slice(0, maxServers);
  const timeServers = addresses('ntp_servers');
  const search = words('domain_search').filter(isName);
  // RFC 3397: a search list goes before the domain of the network.
  const domains = unique(search.length > 0 ? search : words('domain_name').filter(isName)).slice(
    0,
    maxDomains,
  );
  const [hostname] = words('host_name').filter(isName);
  return {
    layer: 'operator',
    nameservers: addresses('domain_name_servers').map((address) => ({ address })),
    ...(domains.length > 0 && { searchDomains: domains }),
    ...(hostname !== undefined && { hostname }),
    ...(timeServers.length > 0 && { timeServers }),
  };
}

/** dhcpcd's words for a lease that is in force. */
function isHeld(reason: string): boolean {
  return ['BOUND', 'RENEW', 'REBIND', 'REBOOT', 'INFORM', 'TIMEOUT'].includes(reason);
}

function isName(word: string): boolean {
  return word.length <= 253 && name.test(word);
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.replace(/\.$/u, '').toLowerCase()))];
}
