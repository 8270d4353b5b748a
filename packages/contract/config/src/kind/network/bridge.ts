import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { boolean } from '../../field/scalars.ts';
import { optional, required } from '../../field/type.ts';
import { linkName, newLinkName } from '../../type/link-name.ts';
import { checkLink, virtualLinkFields } from './link-block.ts';

/** `BridgeConfig`: a switch of interfaces. */
export const bridge = document('BridgeConfig', 'a switch between interfaces of the node', () => ({
  takesEffect: 'live',
  awaits: 'network',
  clash: 'link',
  fields: {
    name: required('its name', newLinkName),
    ...virtualLinkFields,
    links: optional('the interfaces on it', list(linkName)),
    stp: optional(
      'the spanning tree protocol',
      object({ enabled: optional('whether it keeps the bridge free of loops', boolean) }),
    ),
    vlan: optional(
      'VLANs on the bridge',
      object({ filtering: optional('whether its ports tell VLANs apart', boolean) }),
    ),
  },
  check: (value, at) => {
    checkLink(value, at);
    const own = (value.links ?? []).indexOf(value.name);
    if (own >= 0) at.at('links', own).problem('link.itself', 'is the bridge itself');
  },
  example: 'name: br0\nlinks: [enp0s2]\nstp: {enabled: true}\naddresses:\n  - address: 10.0.0.5/24\n',
}));
