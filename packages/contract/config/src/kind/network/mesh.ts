import { isNetwork, parseAddress, parsePrefix } from '@nodecore/sys/pure';

import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { parsed } from '../../field/parsed.ts';
import { boolean, integer } from '../../field/scalars.ts';
import { fallback, optional, type Type } from '../../field/type.ts';
import { network } from '../../type/network-prefix.ts';

const endpointFilter: Type<string> = parsed('a network', {
  json: { pattern: '^!?[0-9A-Fa-f:.]+(/[0-9]{1,3})?$' },
  parse: (text) => {
    const plain = text.startsWith('!') ? text.slice(1) : text;
    const prefix = parsePrefix(plain);
    return parseAddress(plain) !== undefined || (prefix !== undefined && isNetwork(prefix))
      ? text
      : new Mistake('mesh.filter', 'must be a network or an address, after an ! to leave it out');
  },
});

/** `MeshConfig`: encrypted links from each node to each other. */
export const mesh = document(
  'MeshConfig',
  'encrypted links from each node of the cluster to each other',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    replaces: ['machine.network.mesh'],
    fields: {
      enabled: optional('whether the node is in the mesh', boolean),
      advertiseOrchNetworks: optional('whether the networks of its workloads go by the mesh', boolean),
      allowDownPeerBypass: fallback(
        'whether traffic to a peer that is down goes out in clear, in place of nowhere',
        boolean,
        false,
      ),
      harvestExtraEndpoints: optional('whether addresses that peers are seen at are told to others', boolean),
      mtu: fallback('largest packet in the mesh', integer(1280, 65_535), 1420),
      filters: optional(
        'which addresses are used',
        object({
          endpoints: optional('networks that endpoints are in, or with ! are not in', list(endpointFilter)),
          excludeAdvertisedNetworks: optional('networks that do not go by the mesh', list(network)),
        }),
      ),
    },
    example: 'enabled: true\nfilters:\n  endpoints: [0.0.0.0/0, "!192.168.0.0/16"]\n',
  }),
);
