import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { required } from '../../field/type.ts';
import { linkName, newLinkName } from '../../type/link-name.ts';
import { isKernelTable, routingTable } from '../../type/routing-table.ts';
import { checkLink, virtualLinkFields } from './link-block.ts';

/** `VRFConfig`: interfaces with a routing table of their own. */
export const vrf = document('VRFConfig', 'interfaces with a routing table of their own', () => ({
  takesEffect: 'live',
  awaits: 'network',
  container: 'ignored',
  clash: 'link',
  fields: {
    name: required('its name', newLinkName),
    ...virtualLinkFields,
    links: required('the interfaces in it', list(linkName)),
    table: required('its routing table', routingTable),
  },
  check: (value, at) => {
    checkLink(value, at);
    if (isKernelTable(value.table))
      at.at('table').problem('vrf.table', 'must be a table that is not main, local or default');
  },
  example: 'name: vrf-blue\nlinks: [enp0s3]\ntable: 100\n',
}));
