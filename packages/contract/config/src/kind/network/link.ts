import { document } from '../../document.ts';
import { required } from '../../field/type.ts';
import { linkName } from '../../type/link-name.ts';
import { checkLink, linkFields } from './link-block.ts';

/** `LinkConfig`: a network interface that is there without the node's doing. */
export const link = document(
  'LinkConfig',
  'addresses and routes of a network interface that is there',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    clash: 'link',
    fields: { name: required('its name or alias', linkName), ...linkFields },
    check: checkLink,
    example:
      'name: enp0s2\nmtu: 9000\naddresses:\n  - address: 10.0.0.5/24\nroutes:\n  - gateway: 10.0.0.1\n',
  }),
);
