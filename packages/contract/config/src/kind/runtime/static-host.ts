import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { required } from '../../field/type.ts';
import { address } from '../../type/address.ts';
import { host } from '../../type/endpoint.ts';

/** `StaticHostConfig`: names of one address in /etc/hosts. */
export const staticHost = document('StaticHostConfig', 'names of one address in /etc/hosts', () => ({
  takesEffect: 'live',
  clash: 'addresses of hosts',
  claims: ({ name: { family, value } }) => [{ name: `${family} ${value}`, at: ['name'] }],
  fields: {
    name: required('the address', address),
    hostnames: required('names that lead to it', list(host, { least: 1, most: 64 })),
  },
  example: 'name: 10.0.0.10\nhostnames: [registry.example, registry]\n',
}));
