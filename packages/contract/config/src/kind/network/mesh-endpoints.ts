import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { optional } from '../../field/type.ts';
import { addressPort } from '../../type/endpoint.ts';

/** `MeshEndpointsConfig`: further addresses at which peers reach this node. */
export const meshEndpoints = document(
  'MeshEndpointsConfig',
  'further addresses at which peers of the mesh reach this node',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    fields: {
      extraAnnouncedEndpoints: optional('addresses with ports, such as those of a router', list(addressPort)),
    },
    example: 'extraAnnouncedEndpoints: ["203.0.113.7:51820"]\n',
  }),
);
