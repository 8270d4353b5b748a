import { createPrivateKey, X509Certificate } from 'node:crypto';

import { readNamedText, UsageError } from '@nodecore/cli';
import { parse as parseYaml, stringify } from 'yaml';

import { SecretsError } from './secrets-error.ts';
import { type ClusterSecrets, tokenForm } from './secrets.ts';

/** Every part of a secrets file, under the names that it has in other programs, too. */
const parts = [
  { path: 'cluster.id', form: 'base64' },
  { path: 'cluster.secret', form: 'base64' },
  { path: 'secrets.bootstraptoken', form: 'token' },
  { path: 'secrets.secretboxencryptionsecret', form: 'base64', optional: true },
  { path: 'secrets.aescbcencryptionsecret', form: 'base64', optional: true },
  { path: 'trustdinfo.token', form: 'text' },
  { path: 'certs.kvstore', also: 'certs.etcd', form: 'authority' },
  { path: 'certs.orch', also: 'certs.k8s', form: 'authority' },
  { path: 'certs.orchaggregator', also: 'certs.k8saggregator', form: 'authority' },
  { path: 'certs.orchserviceaccount', also: 'certs.k8sserviceaccount', form: 'key' },
  { path: 'certs.os', form: 'authority' },
] as const;

type Form = (typeof parts)[number]['form'];
type Tree = { [name: string]: string | Tree };

/** Secrets of which some may be missing, by the paths of a secrets file. */
export type FoundSecrets = ReadonlyMap<string, unknown>;

/** The text of a secrets file. */
export function secretsText(secrets: ClusterSecrets): string {
  return `# Whoever has this file owns the cluster.\n${stringify(secrets, { lineWidth: 0 })}`;
}

/**
 * Reads a secrets file.
 *
 * @throws {UsageError} when it is none, without a word of it; {SecretsError} with every part that is missing or wrong.
 */
export async function readSecrets(file: string): Promise<ClusterSecrets> {
  const text = await readNamedText(file, '--with-secrets');
  const broken = new UsageError(`${file} is no secrets file; make one with osctl gen secrets`);
  let value: unknown;
  try {
    value = parseYaml(text, { prettyErrors: false });
  } catch {
    throw broken; // the parser's message may quote a secret
  }
  if (!isTree(value) || !['cluster', 'secrets', 'certs', 'machine'].some((name) => isTree(value[name]))) throw broken;
  if (isTree(value['machine']))
    throw new UsageError(
      `${file} has the form of earlier versions, without the orchestrator; take the secrets from a configuration of ` +
        'the cluster: osctl gen secrets --from-controlplane-config <file> --fill',
    );
  const problems = unknownParts(value);
  const { secrets, missing, wrong } = assemble(found(value));
  problems.push(...missing.map((path) => `${path} is missing`), ...wrong);
  if (secrets === undefined || problems.length > 0) throw new SecretsError(file, problems);
  return secrets;
}

/** Puts parts together, and says which are missing and what is wrong with the others. */
export function assemble(given: FoundSecrets): {
  /** Undefined when something is missing or wrong. */
  readonly secrets?: ClusterSecrets;
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
} {
  const missing: string[] = [];
  const wrong: string[] = [];
  const tree: Tree = {};
  for (const { path, form, ...part } of parts) {
    const value = given.get(path);
    if (value === undefined) {
      if (!('optional' in part)) missing.push(path);
      continue;
    }
    const problem = problemOf(value, form);
    if (problem !== undefined) wrong.push(`${path} ${problem}`);
    const [group = '', name = ''] = path.split('.');
    const into = (tree[group] ??= {}) as Tree;
    into[name] = relabelled(value) as string | Tree;
  }
  if (!given.has('secrets.secretboxencryptionsecret') && !given.has('secrets.aescbcencryptionsecret'))
    missing.push('secrets.secretboxencryptionsecret');
  const isWhole = missing.length === 0 && wrong.length === 0;
  return { ...(isWhole ? { secrets: tree as unknown as ClusterSecrets } : {}), missing, wrong };
}

function found(value: Tree): FoundSecrets {
  const all = parts.flatMap(({ path, ...part }) => {
    const one = at(value, path) ?? ('also' in part ? at(value, part.also) : undefined);
    return one === undefined ? [] : [[path, one] as const];
  });
  return new Map(all);
}

function at(value: Tree, path: string): string | Tree | undefined {
  return path.split('.').reduce<string | Tree | undefined>((one, step) => (isTree(one) ? one[step] : undefined), value);
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A part that nobody reads is a mistake: its author believes that it counts. A name may be a secret without its colon. */
function unknownParts(value: Tree): string[] {
  const known = new Set(parts.flatMap((part) => [part.path, ...('also' in part ? [part.also] : [])] as string[]));
  const groups = new Set([...known].map((path) => path.split('.')[0]));
  return Object.entries(value).flatMap(([group, below]) => {
    if (!groups.has(group) || !isTree(below)) return ['holds a part that is not known, beside cluster, secrets and certs'];
    return Object.keys(below).every((name) => known.has(`${group}.${name}`))
      ? []
      : [`${group} holds a part that is not known`];
  });
}

function problemOf(value: unknown, form: Form): string | undefined {
  if (form === 'authority' || form === 'key') return isTree(value) ? pemProblem(value, form) : 'must be a certificate and a key';
  if (typeof value !== 'string' || value === '') return 'must be a text';
  if (form === 'base64' && Buffer.from(value, 'base64url').length !== 32) return 'must be 32 bytes in base64';
  return form === 'token' && !tokenForm.test(value) ? 'must be six letters or digits, a dot, and sixteen' : undefined;
}

function pemProblem(value: Tree, form: 'authority' | 'key'): string | undefined {
  const { crt, key } = value;
  if (typeof key !== 'string' || (form === 'authority' && typeof crt !== 'string'))
    return form === 'key' ? 'must have a key' : 'must have crt and key';
  try {
    const privateKey = createPrivateKey(pemOf(key));
    if (typeof crt !== 'string' || form === 'key') return undefined;
    const certificate = new X509Certificate(pemOf(crt));
    if (!certificate.ca) return 'is not an authority (CA)';
    if (!certificate.checkPrivateKey(privateKey)) return 'has a key that does not belong to the certificate';
    return certificate.validToDate.getTime() <= Date.now()
      ? `expired on ${certificate.validToDate.toISOString()}`
      : undefined;
  } catch {
    return 'holds what is no PEM in base64'; // the library's error could describe the key
  }
}

function pemOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8').replaceAll(' ED25519 PRIVATE KEY', ' PRIVATE KEY');
}

/** Other programs label PKCS #8 by its algorithm, which OpenSSL does not take. */
function relabelled(value: unknown): unknown {
  if (!isTree(value) || typeof value['key'] !== 'string') return value;
  return { ...value, key: Buffer.from(pemOf(value['key'])).toString('base64') };
}
