import { document } from '../../document.ts';
import { required } from '../../field/type.ts';
import { newLinkName } from '../../type/link-name.ts';
import { checkLink, virtualLinkFields } from './link-block.ts';

/** `DummyLinkConfig`: an interface that leads nowhere, to hold addresses. */
export const dummyLink = document(
  'DummyLinkConfig',
  'an interface that leads nowhere and holds addresses',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    clash: 'link',
    fields: { name: required('its name', newLinkName), ...virtualLinkFields },
    check: checkLink,
    example: 'name: dummy0\naddresses:\n  - address: 192.0.2.1/32\n',
  }),
);
