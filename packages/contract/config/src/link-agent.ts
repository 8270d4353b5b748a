import { type Place } from './place.ts';
import { type LinkAgent } from './types.ts';

/** Reads a `LinkAgentConfig`: which fleet manager the node dials. No problem quotes the URL, which carries a token. */
export function readLinkAgent(root: Place): LinkAgent | undefined {
  const field = root.get('apiUrl');
  const text = field?.text();
  if (field === undefined || text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'grpc:'].includes(url.protocol) || url.hostname === '') {
    // grpc:// is the older spelling of the same.
    field.problem('link.url', 'must be a URL such as https://fleet.example:443/?jointoken=TOKEN');
    return undefined;
  }
  if ((url.searchParams.get('jointoken') ?? '') === '') {
    field.problem('link.token', 'must have the token to join with: ?jointoken=TOKEN');
    return undefined;
  }
  return { apiUrl: root.keep(text) };
}
