import { parseAllDocuments } from 'yaml';

import { type Certificates, certificatesIn } from './certificates.ts';

/** Whose certificates: those of the node API, or those of the orchestrator. */
export type AuthorityName = 'os' | 'orch';

/** What a configuration says of an authority. */
export type Configured = {
  /** By whom certificates are issued, or who vouches for them; absent on workers that have no such field. PEM. */
  readonly own: string | undefined;
  /** Each may hold several, PEM. */
  readonly accepted: readonly Certificates[];
  readonly form: Form;
};

/** The two forms in which configurations have an authority. */
export type Form = {
  /** JSON Pointers. */
  readonly own: string;
  readonly accepted: string;
  readonly pair: (crt: string, key?: string) => object;
  /** No node takes `pair` without its key. */
  readonly needsKey: boolean;
  readonly item: (crt: string) => unknown;
};

/** One change of RFC 6902. */
export type Operation = {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
};

type Tree = Readonly<Record<string, unknown>>;

/** Words for a control plane. All others are workers, also those that a later version has: they get no key. */
const controlPlaneTypes: readonly unknown[] = ['controlplane', 'init'];

/** The documents of a configuration whose secrets are hidden. */
export class ConfiguredNode {
  readonly #documents: readonly Tree[];

  constructor(text: string) {
    this.#documents = parseAllDocuments(text).map((document) => treeOf(document.toJS()));
  }

  get isControlPlane(): boolean {
    return controlPlaneTypes.includes(treeOf(this.#root['machine'])['type']);
  }

  /** Undefined where the configuration has none. */
  authority(name: AuthorityName): Configured | undefined {
    if (name === 'os') return inRoot(treeOf(this.#root['machine']), '/machine');
    const document = this.#documents.find(({ kind }) => kind === 'OrchAPIServerCAConfig');
    if (document !== undefined) return inDocument(document);
    const cluster = treeOf(this.#root['cluster']);
    return cluster['ca'] === undefined && cluster['acceptedCAs'] === undefined
      ? undefined
      : inRoot(cluster, '/cluster');
  }

  /** Where key servers are that volumes are opened with. */
  get keyServers(): readonly string[] {
    return [...new Set(this.#documents.flatMap(keyServersIn))].toSorted();
  }

  get #root(): Tree {
    return this.#documents.find(({ kind, version }) => kind === undefined && version !== undefined) ?? {};
  }
}

/** Base64 of PEM, in fields of the root document. */
function inRoot(section: Tree, path: string): Configured {
  const own = treeOf(section['ca'])['crt'];
  return {
    own: typeof own === 'string' ? decoded(own) : undefined,
    accepted: listOf(section['acceptedCAs']).map((item) => certificatesIn(decoded(treeOf(item)['crt']))),
    form: {
      own: `${path}/ca`,
      accepted: `${path}/acceptedCAs`,
      pair: (crt, key) => ({ crt: encoded(crt), ...(key !== undefined && { key: encoded(key) }) }),
      needsKey: false,
      item: (crt) => ({ crt: encoded(crt) }),
    },
  };
}

/** PEM as it is, in a document of its own. */
function inDocument(document: Tree): Configured {
  const own = treeOf(document['issuingCA'])['cert'];
  return {
    own: typeof own === 'string' ? own : undefined,
    accepted: listOf(document['acceptedCAs']).map((item) => certificatesIn(String(item))),
    form: {
      own: '/OrchAPIServerCAConfig/issuingCA',
      accepted: '/OrchAPIServerCAConfig/acceptedCAs',
      pair: (cert, key) => ({ cert, ...(key !== undefined && { key }) }),
      needsKey: true,
      item: (cert) => cert,
    },
  };
}

function keyServersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => {
    const endpoint = name === 'kms' ? treeOf(below)['endpoint'] : undefined;
    return typeof endpoint === 'string' ? [endpoint] : keyServersIn(below);
  });
}

function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function decoded(value: unknown): string {
  return Buffer.from(String(value), 'base64').toString('utf8');
}

function encoded(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
