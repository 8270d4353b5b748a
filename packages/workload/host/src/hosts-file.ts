import { isIP } from 'node:net';

import { HostError } from './errors.ts';

/** Names of an address, the canonical one first. */
export type HostsEntry = { readonly address: string; readonly names: readonly string[] };

/**
 * The text of `/etc/hosts`: this machine's own names, then the entries in their order.
 *
 * @param hostname of this machine; its first label is an alias.
 * @throws {HostError} `ERR_HOST_NAME` for an address or a name that would be something else in the file.
 */
export function hostsFile(hostname: string | undefined, entries: readonly HostsEntry[]): string {
  const short = hostname?.split('.')[0];
  const own = hostname === undefined || hostname === 'localhost' ? [] : [hostname, short ?? ''];
  const lines: HostsEntry[] = [
    { address: '127.0.0.1', names: ['localhost'] },
    { address: '::1', names: ['localhost', 'ip6-localhost', 'ip6-loopback'] },
    ...(own.length === 0 ? [] : [{ address: '127.0.1.1', names: own }]),
    ...entries,
  ];
  return lines.map((entry) => `${line(entry)}\n`).join('');
}

function line({ address, names }: HostsEntry): string {
  if (isIP(address) === 0) throw new HostError('ERR_HOST_NAME', address, 'is no address');
  const unique = [...new Set(names)].filter((name) => name !== '');
  for (const name of unique)
    if (!/^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})$/u.test(name))
      throw new HostError('ERR_HOST_NAME', name, 'is no name of a host');
  return [address, ...unique].join(' ');
}
