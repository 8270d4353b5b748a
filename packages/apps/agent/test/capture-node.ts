import { join } from 'node:path';

import { type Client, connect } from '@nodecore/api';
import { CaptureService } from '@nodecore/api/capture';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { CaptureDirectory, type Space } from '../src/captures/capture-directory.ts';
import { captureService } from '../src/captures/capture-service.ts';
import { Captures } from '../src/captures/captures.ts';
import type { Engine } from '../src/captures/engine.ts';
import { ApiServer } from '../src/server/server.ts';
import { servicePart } from '../src/server/service-part.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

export const ca = await pki.createCA('test');
const { crt, key } = await pki.issueServer(ca, { names: ['127.0.0.1'] });

export type CaptureNode = {
  readonly endpoint: string;
  readonly port: number;
  /** Where the node keeps captures. */
  readonly directory: string;
  /** A client with these roles, closed with the test. */
  readonly as: (roles: readonly string[]) => Promise<Client>;
  /** Lines of the audit, oldest first. */
  readonly audit: () => readonly Readonly<Record<string, unknown>>[];
};

export type CaptureNodeOptions = {
  readonly engine?: Engine;
  readonly clock?: FakeClock;
  readonly space?: Space;
};

/** The node API as the agent serves it on loopback, with captures and nothing else behind it. */
export async function captureNode(
  t: ExecutionContext,
  options: CaptureNodeOptions = {},
): Promise<CaptureNode> {
  const directory = join(await temporaryDirectory(t), 'captures');
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = pino({ level: 'trace' }, { write });
  let port = 0;
  const { space, ...rest } = options;
  const captures = new Captures({
    log,
    directory: new CaptureDirectory(async () => directory, space),
    apiPort: () => port,
    ...rest,
  });
  const server = new ApiServer({ log });
  server.serve((calls) => [servicePart(CaptureService, captureService(captures, calls))]);
  t.teardown(() => server.close());
  server.use({ crt, key, clientAuthorities: [ca.crt] });
  ({ port } = await server.listen({ host: '127.0.0.1', port: 0 }));
  const endpoint = `127.0.0.1:${port}`;
  return {
    endpoint,
    port,
    directory,
    as: async (roles) => {
      const identity = await pki.issueClient(ca, { roles });
      const client = connect({ endpoint, ca: ca.crt, crt: identity.crt, key: identity.key });
      t.teardown(() => client.close());
      return client;
    },
    audit: () => lines.filter((line) => line['audit'] === true),
  };
}
