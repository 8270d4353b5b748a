import { createRing, KeyRing, type KeyServer, startKeyServer } from '@nodecore/key-server';

/** A check asks far more often than any node would. */
const plenty = { burst: 1_000_000, perSecond: 1_000_000 };

/** A key server without TLS, its audit log beside its ring, on this machine's loopback, on a free port where none is given. */
export async function keyServer(ring: string, options: { readonly port?: number } = {}): Promise<KeyServer> {
  return await startKeyServer({
    listen: { host: '127.0.0.1', port: options.port ?? 0 },
    ring,
    tls: 'plaintext',
    audit: `${ring}.audit`,
    limits: { node: plenty, peer: plenty },
  });
}

/** Makes a ring with one key in a new file. */
export async function newRing(path: string): Promise<void> {
  using ring = KeyRing.create(Date.now());
  await createRing(path, ring);
}

export const endpointOf = ({ address }: KeyServer): string => `grpc://${address.host}:${address.port}`;
