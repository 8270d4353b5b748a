import { Backoff, type Clock } from '@nodecore/waiting';

import type { Resource } from '../../gen/nodecore-v1.js';
import { follow } from '../client/follow.ts';
import { listDefinitions } from '../client/resources.ts';
import type { ResourceDefinition } from '../definition.ts';
import type { DashboardNode } from './dashboard-node.ts';
import type { Browsed, Table } from './model.ts';

export type ResourceBrowserOptions = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Somebody should look at what is browsed. */
  readonly onChange: () => void;
};

/** What is looked at: nothing, the kinds, or a kind by its type. */
export type Look = 'nothing' | 'kinds' | { readonly kind: string };

/** Longer than anybody looks at something else. */
const forever = 2 ** 31 - 1;
/** So long a node has for the list of its kinds. */
const listMs = 10_000;

/** Follows what a node has of one kind of resources, while somebody looks at it. */
export class ResourceBrowser {
  readonly #target: DashboardNode;
  readonly #options: ResourceBrowserOptions;
  readonly #backoff = new Backoff({ firstMs: 1_000, largestMs: 30_000 });
  #browsed: Browsed = { kinds: undefined };
  #look: Look = 'nothing';
  #wake = new AbortController();

  constructor(target: DashboardNode, options: ResourceBrowserOptions) {
    this.#target = target;
    this.#options = options;
  }

  get browsed(): Browsed {
    return this.#browsed;
  }

  /** What is shown from now on; nothing is asked for anything else. */
  look(look: Look): void {
    if (kindOf(look) === kindOf(this.#look)) return;
    this.#look = look;
    this.#backoff.reset();
    this.#wake.abort();
  }

  /** Goes on until the signal fires, with whose reason it rejects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    for (;;) {
      this.#wake = new AbortController();
      const ends = AbortSignal.any([signal, this.#wake.signal]);
      let restMs = forever;
      try {
        await this.#ask(ends);
      } catch (error) {
        signal.throwIfAborted();
        if (ends.aborted) continue;
        restMs = this.#backoff.next();
        this.#failed(this.#target.explain(error));
      }
      await clock.sleep(restMs, ends).catch(() => signal.throwIfAborted()); // else somebody looks elsewhere
    }
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const look = this.#look;
    if (look === 'nothing') return;
    const { client, node } = this.#target;
    const options = { node, signal };
    let { kinds } = this.#browsed;
    if (kinds === undefined || !('value' in kinds)) {
      const found = await listDefinitions(client, { ...options, timeoutMs: listMs });
      kinds = { value: found.toSorted((a, b) => (a.type < b.type ? -1 : 1)) };
      this.#set({ ...this.#browsed, kinds });
    }
    if (look === 'kinds') return;
    const definition = kinds.value.find(({ type }) => type === look.kind);
    if (definition === undefined) {
      // Known of another node alone.
      this.#set({ ...this.#browsed, table: noSuchKind(look.kind) });
      return;
    }
    await this.#follow(definition, signal);
  }

  async #follow(definition: ResourceDefinition, signal: AbortSignal): Promise<void> {
    const { client, node } = this.#target;
    const { type, defaultNamespace: namespace } = definition;
    const before = this.#browsed.table;
    if (before?.definition.type !== type)
      this.#set({ ...this.#browsed, table: { definition, resources: undefined } });
    const found = new Map<string, Resource>();
    let isWhole = false;
    for await (const changes of follow(
      client,
      { type, namespace },
      { node, signal, onInterruption: thrown },
    )) {
      for (const change of changes) {
        if (change.kind === 'bootstrapped') isWhole = true;
        else if (change.kind === 'destroyed') found.delete(idOf(change.resource));
        else found.set(idOf(change.resource), change.resource);
      }
      if (!isWhole) continue; // half of a list would look like all of it
      this.#backoff.reset();
      const resources = [...found.values()].toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
      this.#set({ ...this.#browsed, table: { definition, resources: { value: resources } } });
    }
  }

  /** What is known stays, and is said to be old. */
  #failed(failure: string): void {
    const { kinds, table } = this.#browsed;
    if (kinds === undefined || 'failure' in kinds) this.#set({ kinds: { failure } });
    else if (table !== undefined) {
      const { resources } = table;
      const isKnown = resources !== undefined && 'value' in resources;
      this.#set({
        kinds,
        table: isKnown ? { ...table, interruption: failure } : { ...table, resources: { failure } },
      });
    }
  }

  #set(browsed: Browsed): void {
    this.#browsed = browsed;
    this.#options.onChange();
  }
}

/** A watch that goes on says nothing until something changes: one from the beginning says that it is there. */
function thrown(error: unknown): never {
  throw error;
}

/** The id of a resource. */
export function idOf({ metadata }: Resource): string {
  return metadata?.id ?? '';
}

function kindOf(look: Look): string {
  return typeof look === 'string' ? look : `kind ${look.kind}`;
}

function noSuchKind(type: string): Table {
  const definition: ResourceDefinition = {
    type,
    displayType: type,
    description: '',
    defaultNamespace: '',
    aliases: [],
    printColumns: [],
    sensitive: false,
  };
  return { definition, resources: { failure: 'the node has no such kind' } };
}
