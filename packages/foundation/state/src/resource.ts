/** What a spec may hold: JSON, where a bigint is a number with all its digits. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

export type Phase = 'running' | 'tearingDown';

/** What names a resource. `type` is the full one, `Disks.block.nodecore.dev`. */
export type Key = { readonly namespace: string; readonly type: string; readonly id: string };

/** All resources of one type in one namespace. */
export type Kind = Omit<Key, 'id'>;

export type Metadata = Key & {
  /** 1 when created, +1 with every change, unless its writer numbers it. */
  readonly version: number;
  /** The controller that writes it; empty: nobody. */
  readonly owner: string;
  readonly phase: Phase;
  /** Milliseconds since the epoch. */
  readonly createdMs: number;
  readonly updatedMs: number;
  /** What queries ask for. */
  readonly labels: Readonly<Record<string, string>>;
  /** Notes that no query asks for. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Who must let go before it can be destroyed. */
  readonly finalizers: readonly string[];
};

/** One thing that the node knows. Never changed in place: a change is a new object with the next version. */
export type Resource = { readonly metadata: Metadata; readonly spec: Json };

/** A place in the history of all resources of one run of the agent. */
export type Bookmark = { readonly epoch: string; readonly revision: number };

export type ResourceEvent =
  | {
      readonly type: 'created' | 'updated' | 'destroyed';
      readonly resource: Resource;
      /** As it was before; undefined where it is created. */
      readonly previous?: Resource;
      readonly revision: number;
    }
  /** Everything that existed has been sent. */
  | { readonly type: 'bootstrapped'; readonly revision: number }
  /** The watcher was too slow: events are lost, and the watch ends here. */
  | { readonly type: 'errored'; readonly revision: number; readonly error: string };

/** The fields of a spec; none of one that is no object. */
export function fieldsOf(spec: Json): { readonly [key: string]: Json | undefined } {
  return spec !== null && typeof spec === 'object' && !Array.isArray(spec)
    ? (spec as { readonly [key: string]: Json })
    : {};
}

/** The order of lists. */
export function byId(left: Resource, right: Resource): number {
  return left.metadata.id < right.metadata.id ? -1 : left.metadata.id > right.metadata.id ? 1 : 0;
}

/** For messages: `Disks.block.nodecore.dev/sda`. */
export function keyText({ type, id }: Key): string {
  return `${type}/${id}`;
}
