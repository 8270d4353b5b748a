import { readNamedText, UsageError } from '@nodecore/cli';
import { parseDocument } from 'yaml';

import { writeText } from '../configuration/write-text.ts';
import { readSecrets } from '../gen/secrets-file.ts';
import { isSame } from './certificates.ts';
import type { AuthorityName } from './configured.ts';
import type { Pair } from './rotation-file.ts';

/** The secrets file of the cluster, whose authorities are replaced. */
export class SecretsOfCluster {
  readonly #path: string;
  readonly #authorities: Readonly<Record<AuthorityName, Pair>>;

  private constructor(path: string, authorities: Readonly<Record<AuthorityName, Pair>>) {
    this.#path = path;
    this.#authorities = authorities;
  }

  /** @throws {UsageError | SecretsError} */
  static async read(path: string): Promise<SecretsOfCluster> {
    const { certs } = await readSecrets(path);
    return new SecretsOfCluster(path, { os: decoded(certs.os), orch: decoded(certs.orch) });
  }

  /** @throws {UsageError} when the file has none of these certificates: it is of another cluster. */
  requireOneOf(name: AuthorityName, crts: readonly string[]): void {
    const found = this.#authorities[name];
    if (crts.some((crt) => isSame(found.crt, crt))) return;
    throw new UsageError(`${this.#path}: certs.${name} is not the authority that the nodes have`);
  }

  /** The key of an authority. @throws {UsageError} when the file is of another cluster, or has the other one. */
  keyOf(name: AuthorityName, crt: string): string {
    this.requireOneOf(name, [crt]);
    return this.#authorities[name].key;
  }

  /** Puts authorities in the place of the former; comments stay. */
  async replace(next: Partial<Readonly<Record<AuthorityName, Pair>>>): Promise<void> {
    const document = parseDocument(await readNamedText(this.#path, '--with-secrets'), {
      prettyErrors: false,
      logLevel: 'silent',
    });
    for (const [name, { crt, key }] of Object.entries(next)) {
      const isOlder =
        name === 'orch' && !document.hasIn(['certs', 'orch']) && document.hasIn(['certs', 'k8s']);
      const place = isOlder ? 'k8s' : name; // as it is read
      document.setIn(['certs', place], document.createNode({ crt: encoded(crt), key: encoded(key) }));
    }
    await writeText(this.#path, document.toString({ lineWidth: 0 }));
  }
}

function decoded({ crt, key }: Pair): Pair {
  return { crt: text(crt), key: text(key) };
}

function text(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function encoded(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
