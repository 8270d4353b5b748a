import { node } from '../node.ts';
import { api } from '../api/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { Maintenance } from './maintenance.ts';

/** The time before the first configuration. */
export const maintenance: Feature<Maintenance> = feature({
  name: 'maintenance',
  needs: { node, api },
  make: ({ node: { log, runDirectory }, api: { server } }) => {
    const handle = new Maintenance({ log, server, runDirectory });
    const end = (): Promise<void> => handle.end();
    return { handle, prepare: end, dispose: end };
  },
});
