import { document } from '../../document.ts';
import { fallback, required } from '../../field/type.ts';
import { u32 } from '../../type/number.ts';
import { network } from '../../type/network-prefix.ts';

/** `BlackholeRouteConfig`: a network to which nothing is sent. */
export const blackholeRoute = document('BlackholeRouteConfig', 'a network to which nothing is sent', () => ({
  takesEffect: 'live',
  awaits: 'network',
  fields: {
    name: required('the network', network),
    metric: fallback('the route with the lowest wins', u32, 1024),
  },
  example: 'name: 198.51.100.0/24\n',
}));
