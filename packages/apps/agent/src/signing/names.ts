import { isIP, SocketAddress } from 'node:net';

import { SigningError } from './errors.ts';

/** Names below it are the cluster's own. */
const ownDomain = 'nodecore.internal';

/**
 * What a control plane shows as a signer, and nobody else: only who holds the key of the authority makes a certificate for it. So
 * workers know a signer wherever they reach it, behind a balancer, too.
 */
export const signerName: string = `certificate-signer.${ownDomain}`;

const label = '[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?';
const dnsName = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*\\.?$`, 'u');

/** A node has so many names at most; docker makes a bridge for each network. */
const most = 256;

/** Names of a request, each once and in one form. @throws {SigningError} `ERR_SIGNING_REQUEST` for what is no name. */
export function readNames(names: readonly string[]): readonly string[] {
  if (names.length > most) throw new SigningError('ERR_SIGNING_REQUEST', `names: more than ${most}`);
  return [
    ...new Set(
      names.map((name, index) => {
        const read = canonicalName(name);
        if (read === undefined)
          throw new SigningError(
            'ERR_SIGNING_REQUEST',
            `names[${index}]: neither an IP address nor a DNS name`,
          );
        return read;
      }),
    ),
  ];
}

/** One form of an address or a DNS name, so that two can be compared; undefined for what is neither. */
export function canonicalName(name: string): string | undefined {
  const family = isIP(name);
  if (family === 4) return name;
  if (family === 6) {
    if (name.includes('%')) return undefined;
    const { address } = new SocketAddress({ address: name, family: 'ipv6' });
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u.exec(address)?.[1];
    return mapped ?? address;
  }
  if (name.length > 253 || !dnsName.test(name) || /^[\d.]+$/u.test(name)) return undefined;
  return name.toLowerCase().replace(/\.$/u, '');
}

/** Whether every machine has this name for itself: whoever asks for it gets it. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** A cluster has so many control planes at most, and then some. */
const mostAddresses = 32;

/** Addresses of other machines, each once and in one form; whatever else is said is left out. */
export function knownAddresses(names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => canonicalName(name) ?? []);
  const addresses = found.filter((name) => isIP(name) !== 0 && !isLoopback(name) && !isNowhere(name));
  return [...new Set(addresses)].slice(0, mostAddresses);
}

function isNowhere(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** Why nobody gets this name; undefined for a name that somebody may have. */
export function reservation(name: string): string | undefined {
  if (name === ownDomain || name.endsWith(`.${ownDomain}`)) return 'is a name of the cluster itself';
  if (name.startsWith('*')) return 'stands for names of other nodes, too';
  return undefined;
}
