import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { type Clock, systemClock } from '@nodecore/waiting';

import { decide } from './decide.ts';
import { ResourceError } from './errors.ts';
import { History } from './history.ts';
import type { Operation } from './operation.ts';
import {
  type Bookmark,
  byId,
  type Json,
  type Key,
  type Kind,
  keyText,
  type Metadata,
  type Resource,
  type ResourceEvent,
} from './resource.ts';
import type { Committed } from './state.ts';
import { follow } from './watch.ts';

export type StoreOptions = {
  readonly clock?: Clock;
  /** Changes remembered per kind of resource, 1024 by default. */
  readonly historyLimit?: number;
};

/** What a writer may say beside the spec. */
export type WriteOptions = {
  /** The writer; it must own what it changes. */
  readonly owner?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** For resources whose versions outlive the process: the number to give, larger than the last. */
  readonly version?: number;
};

type Shelf = { readonly resources: Map<string, Resource>; readonly history: History };

/**
 * Everything the node knows, in memory. Every change of any resource takes the next global revision, so that a list
 * and a watch from its revision miss nothing and repeat nothing. Methods are synchronous and atomic.
 */
export class Store {
  /** Names this run: bookmarks of another run are refused. */
  readonly epoch: string = randomUUID();
  readonly #clock: Clock;
  readonly #historyLimit: number;
  readonly #shelves = new Map<string, Shelf>();
  #revision = 0;

  constructor({ clock = systemClock, historyLimit = 1024 }: StoreOptions = {}) {
    this.#clock = clock;
    this.#historyLimit = historyLimit;
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: Key): Resource | undefined {
    return this.#shelf(key).resources.get(key.id);
  }

  /** All resources of a kind, sorted by id, as they were at `bookmark`. */
  list(kind: Kind): { readonly resources: readonly Resource[]; readonly bookmark: Bookmark } {
    const resources = [...this.#shelf(kind).resources.values()].sort(byId);
    return { resources, bookmark: this.#bookmark() };
  }

  create(key: Key, spec: Json, options: WriteOptions = {}): Resource {
    if (this.get(key) !== undefined) throw new ResourceError('ERR_RESOURCE_EXISTS', keyText(key), 'exists');
    const now = this.#clock.now();
    const { namespace, type, id } = key;
    const { owner = '', labels = {}, version = 1 } = options;
    const metadata: Metadata = {
      namespace,
      type,
      id,
      version,
      owner,
      phase: 'running',
      createdMs: now,
      updatedMs: now,
      labels,
      annotations: {},
      finalizers: [],
    };
    return this.#write('created', { metadata, spec });
  }

  /** @param expectedVersion the version that the change was made from. */
  update(key: Key, expectedVersion: number, spec: Json, options: WriteOptions = {}): Resource {
    const current = this.#owned(key, options.owner);
    if (current.metadata.version !== expectedVersion) {
      const message = `version is ${current.metadata.version}, not ${expectedVersion}`;
      throw new ResourceError('ERR_RESOURCE_VERSION', keyText(key), message);
    }
    if (current.metadata.phase !== 'running') {
      throw new ResourceError('ERR_RESOURCE_PHASE', keyText(key), 'is being torn down');
    }
    const { labels = current.metadata.labels, version = expectedVersion } = options;
    const same = isDeepStrictEqual(current.spec, spec) && isDeepStrictEqual(current.metadata.labels, labels);
    if (same && version === expectedVersion) return current;
    return this.#change(current, { labels, ...(version !== expectedVersion && { version }) }, spec);
  }

  /** Creates or updates; when nothing differs nothing is written and the version stays. */
  modify(key: Key, change: (spec: Json | undefined) => Json, options: WriteOptions = {}): Resource {
    const current = this.get(key);
    if (current === undefined) return this.create(key, change(undefined), options);
    return this.update(key, current.metadata.version, change(current.spec), options);
  }

  /** Makes a kind hold exactly `specs` of this owner: what changed is written, what is gone is destroyed. */
  replace(kind: Kind, specs: ReadonlyMap<string, Json>, owner: string): void {
    for (const [id, spec] of specs) this.modify({ ...kind, id }, () => spec, { owner });
    for (const { metadata } of this.list(kind).resources) {
      if (metadata.owner === owner && !specs.has(metadata.id)) this.destroy(metadata, owner);
    }
  }

  /** Says that the resource shall go. @returns whether nobody needs it any more. */
  teardown(key: Key, owner = ''): boolean {
    const current = this.#owned(key, owner);
    if (current.metadata.phase === 'running') this.#change(current, { phase: 'tearingDown' });
    return current.metadata.finalizers.length === 0;
  }

  destroy(key: Key, owner = ''): void {
    const current = this.#owned(key, owner);
    const { finalizers } = current.metadata;
    if (finalizers.length > 0) {
      const message = `still needed by ${finalizers.join(', ')}`;
      throw new ResourceError('ERR_RESOURCE_FINALIZERS', keyText(key), message);
    }
    this.#write('destroyed', current);
  }

  addFinalizer(key: Key, name: string): void {
    const current = this.#present(key);
    if (current.metadata.phase !== 'running') {
      throw new ResourceError('ERR_RESOURCE_PHASE', keyText(key), 'is being torn down');
    }
    if (current.metadata.finalizers.includes(name)) return;
    this.#change(current, { finalizers: [...current.metadata.finalizers, name] });
  }

  removeFinalizer(key: Key, name: string): void {
    const current = this.#present(key);
    if (!current.metadata.finalizers.includes(name)) return;
    this.#change(current, { finalizers: current.metadata.finalizers.filter((other) => other !== name) });
  }

  /** Several writes as one, under one revision: all of them, or none. What it is given must not change afterwards. */
  transaction(operations: readonly Operation[]): Committed {
    const nowMs = this.#clock.now();
    const steps = operations.map((operation) => decide(this.get(operation.key), operation, nowMs));
    if (steps.some(({ type }) => type !== 'unchanged')) this.#revision += 1;
    for (const { type, resource } of steps) if (type !== 'unchanged') this.#apply(type, resource);
    return { revision: this.#revision, resources: steps.map(({ resource }) => resource) };
  }

  /**
   * Changes as they happen, in batches. Without `after`, first what exists now as `created`, then `bootstrapped`.
   * What the watch covers is fixed by this call, not by the first read.
   *
   * @throws {ResourceError} `ERR_RESOURCE_BOOKMARK` when the changes after the bookmark are not known any more.
   */
  watch(
    kind: Kind,
    options: { readonly id?: string; readonly after?: Bookmark; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<readonly ResourceEvent[], void, undefined> {
    const { id, after, signal } = options;
    const { history, resources } = this.#shelf(kind);
    if (after !== undefined) {
      this.#check(kind, history, after);
      return follow({ history, first: [], revision: after.revision, id, signal });
    }
    const revision = this.#revision;
    const existing = [...resources.values()].filter(({ metadata }) => id === undefined || metadata.id === id);
    const first: ResourceEvent[] = existing
      .sort(byId)
      .map((resource) => ({ type: 'created', resource, revision }));
    first.push({ type: 'bootstrapped', revision });
    return follow({ history, first, revision, id, signal });
  }

  /** Whether changes of the kind after this revision are not known any more. */
  isForgotten(kind: Kind, revision: number): boolean {
    return this.#shelf(kind).history.after(revision).lost;
  }

  #check(kind: Kind, history: History, { epoch, revision }: Bookmark): void {
    const why =
      epoch !== this.epoch
        ? 'the bookmark is of another run of the agent'
        : revision > this.#revision
          ? 'the bookmark is of the future'
          : history.after(revision).lost
            ? 'the bookmark is older than the history'
            : undefined;
    if (why !== undefined) throw new ResourceError('ERR_RESOURCE_BOOKMARK', kind.type, why);
  }

  #bookmark(): Bookmark {
    return { epoch: this.epoch, revision: this.#revision };
  }

  #present(key: Key): Resource {
    const current = this.get(key);
    if (current === undefined) throw new ResourceError('ERR_RESOURCE_NOT_FOUND', keyText(key), 'not found');
    return current;
  }

  #owned(key: Key, owner = ''): Resource {
    const current = this.#present(key);
    if (current.metadata.owner === owner) return current;
    const message = `owned by "${current.metadata.owner}", not by "${owner}"`;
    throw new ResourceError('ERR_RESOURCE_OWNER', keyText(key), message);
  }

  #change(current: Resource, change: Partial<Metadata>, spec: Json = current.spec): Resource {
    const version = current.metadata.version + 1;
    const updatedMs = this.#clock.now();
    return this.#write('updated', { metadata: { ...current.metadata, version, updatedMs, ...change }, spec });
  }

  #write(type: 'created' | 'updated' | 'destroyed', resource: Resource): Resource {
    this.#revision += 1;
    return this.#apply(type, resource);
  }

  #apply(type: 'created' | 'updated' | 'destroyed', resource: Resource): Resource {
    const { resources, history } = this.#shelf(resource.metadata);
    const previous = resources.get(resource.metadata.id);
    if (type === 'destroyed') resources.delete(resource.metadata.id);
    else resources.set(resource.metadata.id, resource);
    history.append({ type, resource, ...(previous && { previous }), revision: this.#revision });
    return resource;
  }

  #shelf({ namespace, type }: Kind): Shelf {
    const name = `${namespace}/${type}`;
    const shelf = this.#shelves.get(name);
    if (shelf !== undefined) return shelf;
    // Nothing of this kind was ever written: its history is complete from the beginning.
    const made = { resources: new Map<string, Resource>(), history: new History(this.#historyLimit, 0) };
    this.#shelves.set(name, made);
    return made;
  }
}
