import { EventEmitter, once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, Osconfig } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { parseDocument } from 'yaml';

import { issuingAuthority } from '../../agent/src/certificates/node-certificate.ts';
import { apiNode } from '../../agent/test/api-node.ts';
import { authority, machineToken } from '../../agent/test/documents.ts';
import { osctl, type Outcome, type RunOptions } from './command-line.ts';

type Authority = pki.Identity;

export type ClusterOptions = {
  /** Further documents of control planes, and of workers. */
  readonly planes?: string;
  readonly workers?: string;
  /** Nodes give running calls this time when their authorities change. Default 10 s, as agents do. */
  readonly drainMs?: number;
  /** Another authority that all nodes accept. */
  readonly accepted?: Authority;
  /** That of the orchestrator, in the root documents, as older versions have written them: the worker has type `join`. */
  readonly older?: Authority;
  /** Called when a node has taken a configuration, before it answers. */
  readonly activated?: (name: string) => Promise<void>;
};

function text(
  ca: Authority,
  type: 'controlplane' | 'worker',
  { more, accepted, older }: { readonly more: string } & Pick<ClusterOptions, 'accepted' | 'older'>,
): string {
  const isWorker = type === 'worker';
  const orch = older && `{crt: ${base64(older.crt)}, key: ${isWorker ? "''" : base64(older.key.bytes)}}`;
  return [
    'version: v1alpha1',
    'machine:',
    `  type: ${isWorker && older !== undefined ? 'join' : type}`,
    `  token: ${machineToken} # stays`,
    '  ca:',
    `    crt: ${base64(ca.crt)}`,
    ...(isWorker ? [] : [`    key: ${base64(ca.key.bytes)}`]),
    ...(accepted === undefined ? [] : [`  acceptedCAs: [{crt: ${base64(accepted.crt)}}]`]),
    'cluster:',
    '  controlPlane: {endpoint: "https://127.0.0.1:6443"}',
    ...(orch === undefined ? [] : [`  ca: ${orch}`]),
    more,
  ].join('\n');
}

function base64(value: string | Uint8Array): string {
  return Buffer.from(value).toString('base64');
}

/** Two control planes and a worker, as agents serve their API, and a client config for them. */
export async function rotatingCluster(t: ExecutionContext, options: ClusterOptions = {}) {
  const ca = await authority();
  // The worker has its certificates signed by what the first control plane issues with then.
  const signing: { by?: () => Authority } = {};
  const issuer = {
    get crt() {
      return (signing.by?.() ?? ca).crt;
    },
    get key() {
      return (signing.by?.() ?? ca).key;
    },
  };
  const node = async (name: string, type: 'controlplane' | 'worker', more = '') => {
    const made = await apiNode(t, {
      issuer,
      drainMs: options.drainMs ?? 10_000,
      activated: () => options.activated?.(name) ?? Promise.resolve(),
    });
    const data = Buffer.from(text(ca, type, { ...options, more }));
    const client = connect({ endpoint: made.endpoint, insecure: true });
    await client.applyConfiguration({ data, mode: ApplyMode.AUTO });
    client.close();
    return made;
  };
  const a = await node('a', 'controlplane', options.planes);
  const b = await node('b', 'controlplane', options.planes);
  signing.by = () => issuingAuthority(a.configurator.active!.configuration.machine!)!;
  const w = await node('w', 'worker', options.workers);
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'osconfig');
  const admin = await pki.issueNamedClient(ca, { commonName: 'ada', roles: ['os:admin'] });
  const endpoints = [a, b, w].map(({ endpoint }) => endpoint);
  const config = Osconfig.empty(path);
  config.set('test', { endpoints, ca: ca.crt, crt: admin.crt, key: admin.key });
  config.use('test');
  await writeFile(path, config.encode());
  const env = { OSCONFIG: path };
  const nodes = { a, b, w };
  const configuration = (name: keyof typeof nodes): Promise<string> =>
    readFile(join(nodes[name].directory, 'state', 'config.yaml'), 'utf8');
  return {
    ca,
    admin,
    nodes,
    endpoints,
    directory,
    path,
    /** What a rotation goes on from. */
    file: join(directory, 'rotate-ca-test.yaml'),
    run: (args: readonly string[], more: RunOptions = {}): Promise<Outcome> =>
      osctl(['rotate-ca', ...args], { env, ...more }),
    osctl: (args: readonly string[], more: RunOptions = {}): Promise<Outcome> =>
      osctl(args, { env, ...more }),
    /** The configuration that a node has persisted, with its secrets. */
    configuration,
    /** All that a rotation may change. */
    everything: async () => ({
      files: await readdir(directory),
      osconfig: await readFile(path, 'utf8'),
      configurations: await Promise.all((['a', 'b', 'w'] as const).map(configuration)),
    }),
    /** A secrets file of the cluster. */
    secrets: async (os: Authority = ca, file: string = join(directory, 'secrets.yaml')): Promise<string> => {
      const { code, error } = await osctl(['gen', 'secrets', '-o', file]);
      if (code !== 0) throw new Error(error);
      const document = parseDocument(await readFile(file, 'utf8'));
      document.setIn(['certs', 'os'], { crt: base64(os.crt), key: base64(os.key.bytes) });
      await writeFile(file, document.toString());
      return file;
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof rotatingCluster>>;

/**
 * A client that asks every node for ever, over connections of its own, with what its config has at that moment. A connection that was
 * just made may end when authorities change, as any may; what counts is a handshake that either side refuses.
 */
export function clientLoop(cluster: Pick<Cluster, 'osctl' | 'endpoints'>) {
  const stop = new AbortController();
  const failures: string[] = [];
  const called = new EventEmitter();
  let calls = 0;
  const go = (async () => {
    while (!stop.signal.aborted) {
      const { code, error } = await cluster.osctl([
        'get',
        'rd',
        '-n',
        cluster.endpoints.join(),
        '-o',
        'jsonpath=.node',
      ]);
      const said = error.split('\n').filter((line) => line !== '' && !line.endsWith('nodes failed'));
      if (code !== 0) failures.push(...said.filter((line) => !/(?:was lost|gave the call up)/u.test(line)));
      calls += 1;
      called.emit('call');
    }
  })();
  return {
    failures,
    get calls() {
      return calls;
    },
    /** One whole call from now on. */
    turn: async (): Promise<void> => {
      await once(called, 'call'); // that goes on
      await once(called, 'call');
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      stop.abort();
      await go;
    },
  };
}
