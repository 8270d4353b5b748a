import { builtin, overlaps } from '@nodecore/sys/pure';

import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { integer } from '../../field/scalars.ts';
import { secret } from '../../field/secret.ts';
import { optional, required } from '../../field/type.ts';
import { network } from '../../type/network-prefix.ts';
import { duration } from '../../type/duration.ts';
import { addressPort } from '../../type/endpoint.ts';
import { newLinkName } from '../../type/link-name.ts';
import { u32 } from '../../type/number.ts';
import { wireguardKey } from '../../type/wireguard-key.ts';
import { checkLink, linkFields } from './link-block.ts';

const crypto = builtin('node:crypto');

const peer = object({
  publicKey: required('whose packets it takes', wireguardKey),
  presharedKey: optional('a further secret that both know', secret(wireguardKey)),
  endpoint: optional('where the peer is; a peer without one dials us', addressPort),
  persistentKeepaliveInterval: optional(
    'how often to keep the way open; 0 is never',
    duration({ most: '65535s', whole: true }),
  ),
  allowedIPs: optional('networks behind the peer', list(network)),
});

/** `WireguardConfig`: an encrypted link to peers. */
export const wireguard = document('WireguardConfig', 'an encrypted link to peers', () => ({
  takesEffect: 'live',
  awaits: 'network',
  clash: 'link',
  fields: {
    name: required('its name', newLinkName),
    ...linkFields,
    privateKey: required('the key of this end', secret(wireguardKey)),
    listenPort: optional('UDP port; 0 lets the kernel choose', integer(0, 65_535)),
    firewallMark: optional('mark of the packets it sends', u32),
    peers: optional('who is at the other ends', list(peer, { merge: { by: 'publicKey' } })),
  },
  check: (value, at) => {
    checkLink(value, at);
    const own = publicKeyOf(value.privateKey.bytes.toString('latin1'));
    const seen = (value.peers ?? []).flatMap(({ publicKey, allowedIPs = [] }, index) => {
      if (publicKey === own)
        at.at('peers', index, 'publicKey').problem('wireguard.itself', 'is the key of this end');
      return allowedIPs.map((prefix, item) => ({ prefix, index, item }));
    });
    for (const [place, { prefix, index, item }] of seen.entries())
      if (seen.slice(0, place).some((one) => one.prefix.bits === prefix.bits && overlaps(one.prefix, prefix)))
        at.at('peers', index, 'allowedIPs', item).problem(
          'wireguard.allowed_ip',
          'is behind another peer already',
        );
  },
  example:
    'name: wg0\nprivateKey: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nlistenPort: 51820\npeers:\n' +
    '  - publicKey: ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=\n    endpoint: 192.0.2.7:51820\n    allowedIPs: [10.9.0.0/24]\n',
}));

/** The DER form of a private key of X25519 is this and its 32 bytes (RFC 8410). */
const head = Buffer.from('302e020100300506032b656e04220420', 'hex');

function publicKeyOf(privateKey: string): string {
  const der = Buffer.concat([head, Buffer.from(privateKey, 'base64')]);
  try {
    const key = crypto().createPublicKey(
      crypto().createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    );
    return key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  } finally {
    der.fill(0);
  }
}
