import { SocketService } from '@nodecore/api/socket';

import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { socketHandlers } from './socket-service.ts';

/** Sockets of the node, for callers. */
export const sockets: Feature<undefined> = feature({
  name: 'sockets',
  make: () => ({
    handle: undefined,
    services: (calls) => [servicePart(SocketService, socketHandlers(calls))],
  }),
});
