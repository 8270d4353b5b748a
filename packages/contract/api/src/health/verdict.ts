/** The spec of a resource. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a check came to. `skipped`: there is nothing to look at, or it can not be seen from here. */
export type Verdict = {
  readonly state: 'ok' | 'failed' | 'skipped';
  /** Empty of `ok`. */
  readonly reason: string;
};

/** A verdict with how long it took. */
export type CheckResult = Verdict & { readonly check: string; readonly durationMs: number };

/** What a node is judged by. */
export type NodeFacts = {
  /** Specs of a type of resource, by id; empty where the node has no such type. */
  readonly specsOf: (type: string) => Promise<ReadonlyMap<string, Fields>>;
  /** Undefined: nobody can say. */
  readonly memoryBytes?: number;
  readonly isControlPlane?: boolean;
};
