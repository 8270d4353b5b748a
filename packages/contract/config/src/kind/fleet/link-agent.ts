import { documentWith } from '../../document.ts';
import { hiddenText } from '../../field/shape.ts';
import { required } from '../../field/type.ts';
import { readLinkAgent } from '../../link-agent.ts';

/** `LinkAgentConfig`: the fleet manager that the node dials. The URL carries the join token, so all of it is secret. */
export const linkAgent = documentWith(
  'LinkAgentConfig',
  'the fleet manager that the node dials',
  {
    takesEffect: 'live',
    shortNames: true,
    fields: {
      apiUrl: required(
        'where the fleet manager is, with the token to join it: https://fleet.example:443/?jointoken=TOKEN',
        hiddenText,
      ),
    },
    example: 'apiUrl: https://fleet.example:443/?jointoken=TOKEN\n',
  },
  readLinkAgent,
);
