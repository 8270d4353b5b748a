import {
  Document,
  isAlias,
  isMap,
  isNode,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type YAMLMap,
} from 'yaml';

import { ManifestError } from './manifest-error.ts';

/** Where pods look for a client config without being told (`osctl` reads `config` there). */
const mountPath = '/var/run/secrets/nodecore';
const volume = 'nodecore-secrets';
const apiVersion = 'nodecore.dev/v1alpha1';

/** Where a kind of workload says what its pods are. */
const podSpecs: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

type Account = { readonly name: string; readonly namespace: string | undefined };

/**
 * Manifests in which each workload has a service account with roles, mounted in all containers of its pods. One that has it
 * already is left as it is, but for the roles.
 *
 * @throws {ManifestError} with its line, for what is no manifest, and for a text without a workload.
 */
export function withServiceAccounts(
  text: string,
  { file, roles }: { readonly file: string; readonly roles: readonly string[] },
): string {
  const lines = new LineCounter();
  const documents: Document<Node, boolean>[] = [
    ...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' }),
  ];
  const refuse = (offset: number | undefined, words: string): never => {
    throw new ManifestError(file, offset === undefined ? 1 : lines.linePos(offset).line, words);
  };
  for (const { errors } of documents)
    if (errors[0] !== undefined) refuse(errors[0].pos[0], `no well-formed YAML: ${errors[0].code}`);
  const objects = documents.flatMap((document) =>
    objectsOf(document).map((object) => ({ document, object })),
  );
  const accounts = objects.flatMap(({ document, object }) => new Workload(document, object, refuse).inject());
  if (accounts.length === 0)
    refuse(undefined, `there is no workload: none of ${Object.keys(podSpecs).join(', ')}`);
  for (const account of accounts) {
    const present = objects.find(({ object }) => isAccount(object, account));
    if (present === undefined) documents.push(accountDocument(account, roles));
    else present.object.setIn(['spec', 'roles'], present.document.createNode(roles));
  }
  return documents
    .filter(({ contents }) => contents !== null)
    .map((document, index) => {
      if (index > 0) document.directives!.docStart = true;
      return document.toString({ lineWidth: 0 });
    })
    .join('');
}

/** The objects of a document: itself, or those of a list. */
function objectsOf({ contents }: { readonly contents: unknown }): YAMLMap[] {
  if (!isMap(contents)) return [];
  const items = contents.get('kind') === 'List' ? contents.get('items') : undefined;
  return isSeq(items) ? items.items.filter((item) => isMap(item)) : [contents];
}

function isAccount(object: YAMLMap, { name, namespace }: Account): boolean {
  return (
    object.get('kind') === 'ServiceAccount' &&
    object.get('apiVersion') === apiVersion &&
    object.getIn(['metadata', 'name']) === name &&
    object.getIn(['metadata', 'namespace']) === namespace
  );
}

function accountDocument({ name, namespace }: Account, roles: readonly string[]): Document {
  return new Document({
    apiVersion,
    kind: 'ServiceAccount',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { roles },
  });
}

type Refuse = (offset: number | undefined, words: string) => never;

/** An object of a manifest, which may be one with pods. */
class Workload {
  readonly #document: Document<Node, boolean>;
  readonly #object: YAMLMap;
  readonly #refuse: Refuse;

  constructor(document: Document<Node, boolean>, object: YAMLMap, refuse: Refuse) {
    this.#document = document;
    this.#object = object;
    this.#refuse = refuse;
  }

  /** @returns the account that its pods need; none of an object without pods. */
  inject(): Account[] {
    const kind = this.#object.get('kind');
    const path = typeof kind === 'string' && Object.hasOwn(podSpecs, kind) ? podSpecs[kind] : undefined;
    if (path === undefined) return [];
    const name = this.#object.getIn(['metadata', 'name']);
    if (typeof name !== 'string' || name === '') return this.#fail(this.#object, 'metadata.name is missing');
    const account = { name: `${name}-${volume}`, namespace: this.#namespace() };
    const pod = path.reduce<YAMLMap>((map, key) => this.#map(map, key), this.#object);
    this.#addNamed(pod, 'volumes', { name: volume, secret: { secretName: account.name } });
    const containers = [...this.#list(pod, 'containers'), ...this.#list(pod, 'initContainers')];
    if (containers.length === 0) return this.#fail(pod, `${String(kind)} ${name} has no containers`);
    for (const container of containers) this.#mount(container);
    return [account];
  }

  #namespace(): string | undefined {
    const namespace = this.#object.getIn(['metadata', 'namespace']);
    return typeof namespace === 'string' ? namespace : undefined;
  }

  #mount(container: YAMLMap): void {
    const taken = this.#list(container, 'volumeMounts').find(
      (mount) => mount.get('mountPath') === mountPath && mount.get('name') !== volume,
    );
    if (taken !== undefined) this.#fail(taken, `${mountPath} is mounted already, from another volume`);
    this.#addNamed(container, 'volumeMounts', { name: volume, mountPath, readOnly: true });
  }

  /** Adds an item to a list that has none of its name. */
  #addNamed(
    map: YAMLMap,
    key: string,
    item: Readonly<Record<string, unknown>> & { readonly name: string },
  ): void {
    if (this.#list(map, key).some((each) => each.get('name') === item.name)) return;
    const list = this.#own(map.get(key, true));
    if (isSeq(list)) list.add(this.#document.createNode(item));
    else map.set(key, this.#document.createNode([item]));
  }

  #list(map: YAMLMap, key: string): YAMLMap[] {
    const list = this.#own(map.get(key, true));
    if (list === undefined || list === null) return [];
    if (!isSeq(list)) return isNode(list) && !isMap(list) ? [] : this.#fail(map, `${key} is no list`);
    return list.items.map((item) => {
      const each = this.#own(item);
      return isMap(each) ? each : this.#fail(map, `${key} has an item without fields`);
    });
  }

  #map(map: YAMLMap, key: string): YAMLMap {
    const value = this.#own(map.get(key, true));
    return isMap(value) ? value : this.#fail(map, `${key} is missing, or has no fields`);
  }

  #own(value: unknown): unknown {
    if (!isAlias(value)) return value;
    return this.#fail(
      value,
      `*${value.source} is part of something else, which would change, too: write it out`,
    );
  }

  #fail(node: unknown, words: string): never {
    return this.#refuse(isNode(node) ? node.range?.[0] : undefined, words);
  }
}
