import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { parsed } from '../../field/parsed.ts';
import { secret } from '../../field/secret.ts';
import { required } from '../../field/type.ts';

/** grpc:// is the older spelling of https://. No message quotes the URL, which carries a token. */
const joinUrl = parsed('a text', {
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !['https:', 'grpc:'].includes(url.protocol) || url.hostname === '')
      return new Mistake('link.url', 'must be a URL such as https://fleet.example:443/?jointoken=TOKEN');
    return (url.searchParams.get('jointoken') ?? '') === ''
      ? new Mistake('link.token', 'must have the token to join with: ?jointoken=TOKEN')
      : text;
  },
});

/** `LinkAgentConfig`: the fleet manager that the node dials. The URL carries the join token, so all of it is secret. */
export const linkAgent = document('LinkAgentConfig', 'the fleet manager that the node dials', () => ({
  takesEffect: 'live',
  shortNames: true,
  fields: {
    apiUrl: required(
      'where the fleet manager is, with the token to join it: https://fleet.example:443/?jointoken=TOKEN',
      secret(joinUrl),
    ),
  },
  example: 'apiUrl: https://fleet.example:443/?jointoken=TOKEN\n',
}));
