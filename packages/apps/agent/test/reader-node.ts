import { Server, ServerCredentials } from '@grpc/grpc-js';
import { CgroupService } from '@nodecore/api/cgroup';
import * as pki from '@nodecore/pki';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { Cgroups } from '../src/cgroups/cgroups.ts';
import { CallBudget } from '../src/server/call-budget.ts';
import { authorise, type Caller, certifiedCaller, type ClientCertificate } from '../src/server/caller.ts';
import { cgroupService } from '../src/cgroups/cgroup-service.ts';
import { guard } from '../src/server/guard.ts';
import { certifiedLimits } from '../src/server/limits.ts';
import { RunningCalls } from '../src/server/running-calls.ts';

export const ca = await pki.createCA('test');
const { crt, key } = await pki.issueServer(ca, { names: ['127.0.0.1'] });

const limits = certifiedLimits.calls;

type Connection = { getAuthContext(): { readonly sslPeerCertificate?: ClientCertificate } };

function callerOf(call: Connection): Caller {
  return certifiedCaller(call.getAuthContext().sslPeerCertificate);
}

/** Cgroups as the agent serves them on loopback, to those whom it lets in. @returns its endpoint. */
export async function readerNode(t: ExecutionContext, cgroups: Cgroups = new Cgroups()): Promise<string> {
  const log = pino({ level: 'silent' });
  const server = new Server({
    interceptors: [
      guard({
        callerOf,
        authorise,
        connectionOf: () => undefined,
        faultOf: () => undefined,
        streamOf: () => undefined,
        isReserved: () => false,
        budget: new CallBudget(limits),
        limits,
        running: new RunningCalls(),
        finished: () => {},
        stalled: () => {},
      }),
    ],
  });
  const stopping = new AbortController().signal;
  server.addService(CgroupService, cgroupService(cgroups, { log, callerOf, stopping }));
  const credentials = ServerCredentials.createSsl(
    Buffer.from(ca.crt),
    [{ cert_chain: Buffer.from(crt), private_key: key.bytes }],
    true,
  );
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
    error === null ? resolve(port) : reject(error),
  );
  const port = await promise;
  t.teardown(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}
