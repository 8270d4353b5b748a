import { document } from '../../document.ts';
import { list, map } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { optional, required } from '../../field/type.ts';
import { linkName } from '../../type/link-name.ts';
import { u32 } from '../../type/number.ts';

const feature = text({
  longest: 63,
  pattern: {
    regex: /^[a-z0-9][a-z0-9-]*$/u,
    code: 'ethernet.feature',
    message: 'must be the name of a feature, as ethtool -k lists them',
  },
});

/** `EthernetConfig`: settings of a card. */
export const ethernet = document('EthernetConfig', 'settings of a network card, as ethtool has them', () => ({
  takesEffect: 'live',
  awaits: 'network',
  container: 'ignored',
  fields: {
    name: required('the interface', linkName),
    features: optional('offloads, by the names of ethtool -k', map(boolean, { names: feature })),
    rings: optional(
      'sizes of the ring buffers',
      object({
        rx: optional('descriptors of the receive ring', u32),
        tx: optional('descriptors of the send ring', u32),
        'rx-mini': optional('descriptors for small packets', u32),
        'rx-jumbo': optional('descriptors for large packets', u32),
        'rx-buf-len': optional('bytes of a receive buffer', u32),
        'cqe-size': optional('bytes of a completion entry', u32),
        'tx-push': optional('whether descriptors are pushed to the card', boolean),
        'rx-push': optional('whether receive descriptors are pushed to the card', boolean),
        'tx-push-buf-len': optional('bytes that are pushed with a descriptor', u32),
        'tcp-data-split': optional('whether headers and data are kept apart', boolean),
      }),
    ),
    channels: optional(
      'queues of the card',
      object({
        rx: optional('receive queues', u32),
        tx: optional('send queues', u32),
        other: optional('queues for other events', u32),
        combined: optional('queues for both ways', u32),
      }),
    ),
    wakeOnLan: optional(
      'what switches a machine on',
      list(choice('phy', 'unicast', 'multicast', 'broadcast', 'arp', 'magic', 'magicsecure', 'filter')),
    ),
  },
  example: 'name: enp0s2\nfeatures:\n  tx-checksum-ipv4: false\nrings: {rx: 1024}\nwakeOnLan: [magic]\n',
}));
