import { document } from '../../document.ts';
import { required } from '../../field/type.ts';
import { address } from '../../type/address.ts';
import { linkName } from '../../type/link-name.ts';

/** `Layer2VIPConfig`: an address that one control plane node has at a time. */
export const layer2Vip = document(
  'Layer2VIPConfig',
  'an address that one control plane node has at a time',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    clash: 'vip',
    claims: ({ name: { family, value } }) => [{ name: `${family} ${value}`, at: ['name'] }],
    only: 'controlplane',
    fields: {
      name: required('the address', address),
      link: required('the interface that gets it', linkName),
    },
    example: 'name: 10.0.0.100\nlink: enp0s2\n',
  }),
);
