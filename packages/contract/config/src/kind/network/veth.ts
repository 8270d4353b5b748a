import { document } from '../../document.ts';
import { object } from '../../field/object.ts';
import { required } from '../../field/type.ts';
import { newLinkName } from '../../type/link-name.ts';
import { checkLink, linkFields } from './link-block.ts';

/** `VethConfig`: a cable between two interfaces that it makes. */
export const veth = document('VethConfig', 'a cable with an interface at each end', () => ({
  takesEffect: 'live',
  awaits: 'network',
  clash: 'link',
  claims: ({ name, peer }) => [
    { name, at: ['name'] },
    { name: peer.name, at: ['peer', 'name'] },
  ],
  fields: {
    name: required('the name of one end', newLinkName),
    ...linkFields,
    peer: required(
      'the other end',
      object({ name: required('its name', newLinkName), ...linkFields }, { check: checkLink }),
    ),
  },
  check: (value, at) => {
    checkLink(value, at);
    if (value.peer.name === value.name)
      at.at('peer', 'name').problem('link.itself', 'is the other end as well');
  },
  example: 'name: veth0\npeer:\n  name: veth1\n  addresses:\n    - address: 10.2.0.1/30\n',
}));
