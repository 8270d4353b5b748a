import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { NodeAddresses } from './node-addresses.ts';
import { NodeSessions } from './node-sessions.ts';
import { ProxyCredentials } from './proxy-credentials.ts';
import { proxyService } from './proxy-service.ts';

/** Passes calls on that are for other nodes of the cluster. */
export const proxy: Feature<undefined> = feature({
  name: 'proxy',
  needs: { node },
  make: ({ node: { log, clock } }) => {
    const credentials = new ProxyCredentials(clock);
    const sessions = new NodeSessions({ credentials, addresses: new NodeAddresses() });
    return {
      handle: undefined,
      services: (calls) => [proxyService({ sessions, log }, calls)],
      prepare: async ({ configuration }) => credentials.use(configuration.machine),
      dispose: () => sessions.close(),
    };
  },
});
