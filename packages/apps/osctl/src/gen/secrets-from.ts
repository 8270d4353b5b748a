import { join } from 'node:path';

import { readNamed } from '@nodecore/cli';
import { decode, parse } from '@nodecore/config';
import { Secret } from '@nodecore/sys';
import { parseAllDocuments } from 'yaml';

import type { FoundSecrets } from './secrets-file.ts';

type Plain = Readonly<Record<string, unknown>>;

/**
 * The secrets that a configuration of a control plane holds, in the fields of the root or in documents.
 *
 * @throws {ConfigError} when the configuration is not valid.
 */
export async function secretsOfConfiguration(file: string): Promise<FoundSecrets> {
  const text = decode(await readNamed(file, '--from-controlplane-config'), { file });
  parse(text, { file })[Symbol.dispose]();
  const documents = parseAllDocuments(text).map((document) => (document.toJS() ?? {}) as Plain);
  const root = documents.find((document) => document['kind'] === undefined && document['version'] !== undefined) ?? {};
  const of = (kind: string): Plain => documents.find((document) => document['kind'] === kind) ?? {};
  const identity = of('DiscoveryIdentityConfig');
  const keys = encryptionKeys(of('OrchKvstoreEncryptionConfig')['config']);
  const entries: readonly (readonly [string, unknown])[] = [
    ['cluster.id', at(root, 'cluster.id') ?? identity['clusterID']],
    ['cluster.secret', at(root, 'cluster.secret') ?? identity['clusterSecret']],
    ['secrets.bootstraptoken', at(root, 'cluster.token')],
    ['secrets.secretboxencryptionsecret', at(root, 'cluster.secretboxEncryptionSecret') ?? keys.secretbox],
    ['secrets.aescbcencryptionsecret', at(root, 'cluster.aescbcEncryptionSecret') ?? keys.aescbc],
    ['trustdinfo.token', at(root, 'machine.token')],
    ['certs.kvstore', at(root, 'cluster.kvstore.ca')],
    ['certs.orch', at(root, 'cluster.ca') ?? authority(of('OrchAPIServerCAConfig')['issuingCA'])],
    ['certs.orchaggregator', at(root, 'cluster.aggregatorCA') ?? authority(of('OrchAggregatorCAConfig')['issuingCA'])],
    ['certs.orchserviceaccount', at(root, 'cluster.serviceAccount') ?? issuer(of('OrchServiceAccountConfig'))],
    ['certs.os', at(root, 'machine.ca')],
  ];
  return new Map(entries.filter(([, value]) => value !== undefined));
}

/** The secrets of an orchestrator that other tools began: the files of its directory of certificates, all of them. */
export async function secretsOfPki(directory: string): Promise<FoundSecrets> {
  const read = async (name: string): Promise<string> => {
    using pem = Secret.take(await readNamed(join(directory, name), '--from-orch-pki'));
    return pem.bytes.toString('base64');
  };
  const pair = async (name: string): Promise<Plain> => ({ crt: await read(`${name}.crt`), key: await read(`${name}.key`) });
  return new Map<string, unknown>([
    ['certs.orch', await pair('ca')],
    ['certs.kvstore', await pair('etcd/ca')],
    ['certs.orchaggregator', await pair('front-proxy-ca')],
    ['certs.orchserviceaccount', { key: await read('sa.key') }],
  ]);
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((one, step) => (typeof one === 'object' && one !== null ? (one as Plain)[step] : undefined), value);
}

function authority(pair: unknown): Plain | undefined {
  const [cert, key] = [at(pair, 'cert'), at(pair, 'key')];
  return typeof cert === 'string' && typeof key === 'string' ? { crt: base64(cert), key: base64(key) } : undefined;
}

function issuer(document: Plain): Plain | undefined {
  const key = at(document, 'issuer.privateKey');
  return typeof key === 'string' ? { key: base64(key) } : undefined;
}

/** The first key of each provider that encrypts secrets. */
function encryptionKeys(config: unknown): { readonly secretbox?: unknown; readonly aescbc?: unknown } {
  const resources = at(config, 'resources');
  const [own] = (Array.isArray(resources) ? resources : []).filter((one) => {
    const names = at(one, 'resources');
    return Array.isArray(names) && names.includes('secrets');
  }) as unknown[];
  const providers = at(own, 'providers');
  const key = (name: string): unknown =>
    (Array.isArray(providers) ? providers : []).map((one) => at(one, `${name}.keys.0.secret`)).find((one) => one !== undefined);
  return { secretbox: key('secretbox'), aescbc: key('aescbc') };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
