import { BlockList, isIP } from 'node:net';

const near = new BlockList();
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(net, prefix, 'ipv4');
near.addAddress('::1', 'ipv6');
near.addSubnet('fc00::', 7, 'ipv6');

/**
 * Where a registry is asked: in plain text when its host is an address of this machine or of a private network, where
 * nobody has certificates; encrypted everywhere else. A name is never private, since it could become another address.
 *
 * @param options `plain`: in plain text wherever it is; `ca`: who gives its authorities has certificates, also where it is near.
 */
export function endpointOf(
  registry: string,
  { plain = false, ca }: { readonly plain?: boolean; readonly ca?: string | undefined } = {},
): URL {
  const isPlain = plain || (ca === undefined && isNear(registry));
  return new URL(`${isPlain ? 'http' : 'https'}://${ownHosts[registry] ?? registry}`);
}

/** Registries whose name is not the host that answers for it. */
const ownHosts: Readonly<Record<string, string>> = {
  'docker.io': 'registry-1.docker.io',
  'index.docker.io': 'registry-1.docker.io',
};

/** Whether a URL goes where {@link endpointOf} would let it go: encrypted, or near. */
export function isAllowed(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isNear(url.host));
}

function isNear(registry: string): boolean {
  const { hostname } = new URL(`http://${registry}`);
  if (hostname === 'localhost') return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  return version !== 0 && near.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
