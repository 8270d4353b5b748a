import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { AuditTrail } from '../server/audit-trail.ts';
import { ApiServer } from '../server/server.ts';

export type ApiHandle = { readonly server: ApiServer; readonly audit: AuditTrail };

/** The node API. The agent itself opens and closes it: it answers first and last. */
export const api: Feature<ApiHandle> = feature({
  name: 'api',
  needs: { node, persistence },
  make: ({ node: { log, clock }, persistence: state }) => {
    const audit = new AuditTrail({ log, locate: () => state.path('audit') });
    return { handle: { server: new ApiServer({ log, clock, audit }), audit } };
  },
});
