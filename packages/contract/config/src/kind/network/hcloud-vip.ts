import { document } from '../../document.ts';
import { secret } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { required } from '../../field/type.ts';
import { address } from '../../type/address.ts';
import { linkName } from '../../type/link-name.ts';

/** `HCloudVIPConfig`: as {@link layer2Vip}, moved by the cloud's API. */
export const hcloudVip = document(
  'HCloudVIPConfig',
  'an address that the cloud gives to one control plane node',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    clash: 'vip',
    claims: ({ name: { family, value } }) => [{ name: `${family} ${value}`, at: ['name'] }],
    only: 'controlplane',
    fields: {
      name: required('the address', address),
      link: required('the interface that gets it', linkName),
      apiToken: required('what the cloud takes as permission', secret(text())),
    },
    example: 'name: 203.0.113.7\nlink: enp0s2\napiToken: not-a-token\n',
  }),
);
