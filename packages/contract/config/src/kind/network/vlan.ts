import { document } from '../../document.ts';
import { choice, integer } from '../../field/scalars.ts';
import { fallback, required } from '../../field/type.ts';
import { linkName, newLinkName } from '../../type/link-name.ts';
import { checkLink, linkFields } from './link-block.ts';

/** `VLANConfig`: one VLAN of an interface, as an interface. */
export const vlan = document('VLANConfig', 'one VLAN of an interface, as an interface of its own', () => ({
  takesEffect: 'live',
  awaits: 'network',
  container: 'ignored',
  clash: 'link',
  fields: {
    name: required('its name', newLinkName),
    ...linkFields,
    vlanID: required('number in the tag', integer(1, 4094)),
    vlanMode: fallback('kind of tag', choice('802.1q', '802.1ad'), '802.1q'),
    parent: required('the interface that carries it', linkName),
  },
  check: (value, at) => {
    checkLink(value, at);
    if (value.parent === value.name) at.at('parent').problem('link.itself', 'is the interface itself');
  },
  example: 'name: enp0s2.100\nvlanID: 100\nparent: enp0s2\naddresses:\n  - address: 10.1.0.5/24\n',
}));
