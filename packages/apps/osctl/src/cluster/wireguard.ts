import { generateKeyPairSync } from 'node:crypto';

import { type ClusterPlan, urlHost, wireguardAddress } from '@nodecore/clusters';
import { stringify } from 'yaml';

/** UDP. */
const port = 51_111;

/**
 * The encrypted links from every node to every other, with keys made now; by the names of the nodes. The control plane is dialled at its
 * addresses, and workers, which dial it, keep their ways open.
 */
export function wireguardDocuments(plan: ClusterPlan): ReadonlyMap<string, string> {
  const members = plan.nodes.flatMap((node) => {
    const inside = wireguardAddress(plan, node);
    return inside === undefined ? [] : [{ ...node, inside, keys: keyPair() }];
  });
  return new Map(
    members.map((own) => {
      const peers = members
        .filter(({ name }) => name !== own.name)
        .map(({ type, address, inside, keys }) => ({
          publicKey: keys.publicKey,
          ...(type === 'controlplane' && { endpoint: `${urlHost(address)}:${port}` }),
          persistentKeepaliveInterval: '5s',
          allowedIPs: [`${inside.address}/32`],
        }));
      const document = {
        apiVersion: 'v1alpha1',
        kind: 'WireguardConfig',
        name: 'wg0',
        privateKey: own.keys.privateKey,
        listenPort: port,
        addresses: [{ address: `${own.inside.address}/${own.inside.length}` }],
        peers,
      };
      return [own.name, stringify(document, { lineWidth: 0 })];
    }),
  );
}

/** In base64, as WireGuard writes keys: the last 32 bytes of the DER forms (RFC 8410). */
function keyPair(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519', {
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  try {
    return {
      publicKey: publicKey.subarray(-32).toString('base64'),
      privateKey: privateKey.subarray(-32).toString('base64'),
    };
  } finally {
    privateKey.fill(0);
  }
}
