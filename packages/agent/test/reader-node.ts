import { pki } from '@nodecore/api';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { Cgroups } from '../src/cgroups/cgroups.ts';
import { ApiServer, type ApiServerParts } from '../src/server/server.ts';

export const ca = await pki.createCA('test');
const { crt, key } = await pki.issueServer(ca, { names: ['127.0.0.1'] });

/** The node API as the agent serves it on loopback, with cgroups and nothing else behind it. @returns its endpoint. */
export async function readerNode(t: ExecutionContext, cgroups: Cgroups = new Cgroups()): Promise<string> {
  // Of the others nothing is asked here.
  const parts = { log: pino({ level: 'silent' }), cgroups, drainMs: 1 } as unknown as ApiServerParts;
  const server = new ApiServer(parts);
  t.teardown(() => server.close());
  server.use({ crt, key, clientAuthorities: [ca.crt] });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return `127.0.0.1:${port}`;
}
