import type { Kind, Query, Resource } from '@nodecore/state';

/**
 * What a controller reads, and what wakes it.
 *
 * - `strong`: it may put its finalizer on the resource, which then goes only after the controller has let go;
 * - `weak`: it reads, and the resource may go at any time;
 * - `awaiting-destruction`: it wakes only when the resource is being torn down and nobody needs it any more. For outputs
 *   of its own that others hold by finalizers.
 */
export type InputStrength = 'strong' | 'weak' | 'awaiting-destruction';

export type Input = Kind & {
  readonly strength: InputStrength;
  /** One resource of the kind; all without it. */
  readonly id?: string;
  /** Only resources that match wake the controller; one that ceases to match wakes it, too. */
  readonly query?: Query;
  /** The items that a change of the resource concerns, as it was and as it is. Default: its id. */
  readonly items?: (resource: Resource) => Iterable<string>;
};

/** What a controller writes. `exclusive`: nobody else writes the kind; `shared`: others do, each its own resources. */
export type Output = Kind & { readonly mode: 'exclusive' | 'shared' };

/** Who a controller is, and what it said that it reads and writes. */
export type Declaration = {
  /** Unique in a runtime; the owner of what it writes and the finalizer that it puts. Never renamed: it is stored. */
  readonly name: string;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
};
