import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type Endpoint, parseEndpoint } from '@nodecore/kms';
import { createRing, KeyRing, type KeyServer, type KeyServerOptions, startKeyServer } from '../src/index.ts';
import { authority, type Identity, serverIdentity } from '../../../storage/kms/test/certificates.ts';

export type Running = {
  readonly server: KeyServer;
  readonly endpoint: Endpoint;
  readonly directory: string;
  readonly ring: string;
  /** The records of the audit log. */
  readonly audit: () => Promise<readonly Record<string, unknown>[]>;
};

/** A key server in this process, plaintext unless it is told otherwise. Ends with the test. */
export async function runningServer(
  t: ExecutionContext,
  options: Partial<KeyServerOptions> & { readonly directory?: string } = {},
): Promise<Running> {
  const directory = options.directory ?? (await temporaryDirectory(t));
  const ring = join(directory, 'ring');
  const audit = join(directory, 'audit.log');
  using fresh = KeyRing.create(Date.now());
  await createRing(ring, fresh);
  const server = await startKeyServer({
    listen: { host: '127.0.0.1', port: 0 },
    observe: { host: '127.0.0.1', port: 0 },
    tls: 'plaintext',
    ring,
    audit,
    ...options,
  });
  t.teardown(() => server.close());
  const scheme = options.tls === undefined || options.tls === 'plaintext' ? 'grpc' : 'grpcs';
  return {
    server,
    directory,
    ring,
    endpoint: parseEndpoint(`${scheme}://127.0.0.1:${server.address.port}`),
    audit: async () =>
      (await readFile(audit, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

export type TlsServer = Running & { readonly ca: Identity; readonly roots: readonly string[] };

/** The same with certificates: clients must have one of the authority, unless they may be anybody. */
export async function runningTlsServer(
  t: ExecutionContext,
  options: Partial<KeyServerOptions> & {
    readonly anyClient?: boolean;
    readonly names?: readonly string[];
    readonly lifetimeMs?: number;
    readonly nowMs?: number;
  } = {},
): Promise<TlsServer> {
  const { anyClient = false, names, lifetimeMs, nowMs, ...rest } = options;
  const directory = await temporaryDirectory(t);
  const ca = await authority();
  const validity = {
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
    ...(nowMs === undefined ? {} : { nowMs }),
  };
  const { crt, key } = await serverIdentity(ca, { ...validity, ...(names === undefined ? {} : { names }) });
  const files = {
    certificate: join(directory, 'server.crt'),
    key: join(directory, 'server.key'),
    clientAuthorities: join(directory, 'clients.crt'),
  };
  await writeFile(files.certificate, crt);
  await writeFile(files.key, key.bytes, { mode: 0o600 });
  await writeFile(files.clientAuthorities, ca.crt);
  const tls = anyClient ? { ...files, clientAuthorities: undefined } : files;
  const running = await runningServer(t, { ...rest, directory, tls });
  return { ...running, ca, roots: [ca.crt] };
}
