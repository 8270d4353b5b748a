import { randomBytes } from 'node:crypto';

import { readNamed, readNamedText, UsageError } from '@nodecore/cli';
import * as pki from '@nodecore/pki';
import { decode, parse } from '@nodecore/config';
import { Secret } from '@nodecore/sys';
import { parse as parseYaml, stringify } from 'yaml';

import { writeFiles, type WriteOptions } from './files.ts';

/** The identity of a cluster: while this is kept, its configurations can be generated again. */
export type ClusterSecrets = {
  readonly cluster: {
    readonly id: string;
    readonly secret: string;
    /** Absent in files older than the kvstore; a configuration made from them has none. */
    readonly kvstore?: { readonly ca: StoredAuthority };
  };
  readonly machine: {
    readonly token: string;
    readonly ca: StoredAuthority;
  };
};

/** Certificate and key in PEM, in base64. */
type StoredAuthority = { readonly crt: string; readonly key: string };

/** New random secrets, and two authorities of ten years. The keys are strings in the result, which nothing can wipe. */
export async function createSecrets(): Promise<ClusterSecrets> {
  const ca = await pki.createCA('nodecore');
  using key = ca.key;
  // An authority of its own: a client of the kvstore is not thereby one of the node API.
  const kvstore = await pki.createCA('kvstore');
  using kvstoreKey = kvstore.key;
  return {
    cluster: {
      id: randomBytes(32).toString('base64'),
      secret: randomBytes(32).toString('base64'),
      kvstore: { ca: stored(kvstore.crt, kvstoreKey) },
    },
    machine: { token: randomBytes(16).toString('hex'), ca: stored(ca.crt, key) },
  };
}

/** The secrets file, or the secrets of a configuration that was generated before. */
export async function genSecrets(
  options: WriteOptions & { readonly outputFile: string; readonly fromControlplaneConfig?: string },
): Promise<void> {
  const from = options.fromControlplaneConfig;
  const secrets = from === undefined ? await createSecrets() : await secretsOf(from);
  const content = `# Whoever has this file owns the cluster.\n${stringify(secrets, { lineWidth: 0 })}`;
  await writeFiles([{ path: options.outputFile, content, secret: true }], options);
}

/** Reads a secrets file. Its authorities are checked later, with the configuration that is made from them. */
export async function readSecrets(path: string): Promise<ClusterSecrets> {
  const text = await readNamedText(path, '--with-secrets');
  const broken = new UsageError(`${path} is no secrets file; make one with osctl gen secrets`);
  let value: unknown;
  try {
    value = parseYaml(text, { prettyErrors: false });
  } catch {
    throw broken; // the parser's message may quote a secret
  }
  const texts = [
    ['cluster', 'id'],
    ['cluster', 'secret'],
    ['machine', 'token'],
    ['machine', 'ca', 'crt'],
    ['machine', 'ca', 'key'],
  ].map((steps) => steps.reduce(fieldOf, value));
  if (!texts.every((field) => typeof field === 'string')) throw broken;
  const [id = '', secret = '', token = '', crt = '', key = ''] = texts;
  const [kvstoreCrt, kvstoreKey] = ['crt', 'key'].map((field) =>
    ['cluster', 'kvstore', 'ca', field].reduce(fieldOf, value),
  );
  if ((typeof kvstoreCrt !== 'string' || typeof kvstoreKey !== 'string') && kvstoreCrt !== kvstoreKey)
    throw broken;
  return {
    cluster: {
      id,
      secret,
      ...(typeof kvstoreCrt === 'string' &&
        typeof kvstoreKey === 'string' && { kvstore: { ca: { crt: kvstoreCrt, key: kvstoreKey } } }),
    },
    machine: { token, ca: { crt, key } },
  };
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}

async function secretsOf(path: string): Promise<ClusterSecrets> {
  const flag = '--from-controlplane-config';
  using configuration = parse(decode(await readNamed(path, flag), { file: path }), { file: path });
  const { machine } = configuration;
  const { cluster, token } = machine ?? {};
  if (machine === undefined || cluster?.id === undefined || cluster.secret === undefined || token === undefined) {
    throw new UsageError(`${path} lacks cluster.id, cluster.secret or machine.token; correct ${flag}`);
  }
  return {
    cluster: {
      id: cluster.id,
      secret: cluster.secret.bytes.toString('base64'),
      ...(cluster.kvstore !== undefined && {
        kvstore: { ca: stored(cluster.kvstore.ca.crt, cluster.kvstore.ca.key) },
      }),
    },
    machine: { token: token.bytes.toString('utf8'), ca: stored(machine.ca.crt, machine.ca.key) },
  };
}

function stored(crt: string, key: Secret): StoredAuthority {
  return { crt: Buffer.from(crt).toString('base64'), key: key.bytes.toString('base64') };
}
