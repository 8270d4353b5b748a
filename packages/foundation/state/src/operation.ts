import type { Json, Key, Phase } from './resource.ts';

/** What a writer may say beside the spec of a new resource. */
export type CreateOptions = {
  /** The controller that writes it from now on; empty unless given: nobody's. */
  readonly owner?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** What must hold of a resource that is there, or the write is refused. */
export type GuardOptions = {
  /** The writer; it must be the owner, and is nobody unless given. */
  readonly owner?: string;
  /** The version that the change was made from; any unless given. */
  readonly version?: number;
};

/** Labels and annotations stay as they are unless given; given ones replace all. */
export type UpdateOptions = CreateOptions & {
  readonly version: number;
  /** The phase it must be in, `running` unless given. */
  readonly phase?: Phase;
};

/** One write of a transaction. */
export type Operation = { readonly key: Key } & (
  | ({ readonly op: 'create'; readonly spec: Json } & CreateOptions)
  | ({ readonly op: 'update'; readonly spec: Json } & UpdateOptions)
  | ({ readonly op: 'teardown' | 'destroy' } & GuardOptions)
  | { readonly op: 'addFinalizers' | 'removeFinalizers'; readonly finalizers: readonly string[] }
  /** Writes nothing: the transaction is refused unless the resource has this version; 0: unless there is none. */
  | { readonly op: 'expect'; readonly version: number }
);
