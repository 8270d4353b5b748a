import type { Kind, Query, Resource } from '@nodecore/state';

import type { Access } from './access.ts';

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

/** Nothing is left to do until an input changes, or it waits: for what, and when to look again without a change. */
export type Outcome = void | Waiting;

export type Waiting = {
  /** For people, a sentence: `no disk matches the selector`. Shown as it is. */
  readonly reason: string;
  /** Milliseconds until the next try when no input changes before; without it only a change wakes the item. */
  readonly retryMs?: number;
};

/**
 * A part of an app that keeps its outputs as its inputs ask for. It meets others in the state only.
 *
 * Work is cut into items, named by text: a change of an input wakes the items that it concerns, and `reconcile` makes
 * the outputs of one item right, whatever they were. It is called again after a failure, a crash or a restart, and
 * has to come to the same end.
 */
export type Controller = {
  /** Unique in a runtime; the owner of what it writes and the finalizer that it puts. Never renamed: it is stored. */
  readonly name: string;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  /** Items handled at the same time; 1 by default. */
  readonly concurrency?: number;
  /** Makes one item right. A throw is a failure: tried again with back-off, its message is told to users. */
  reconcile(item: string, access: Access, signal: AbortSignal): Promise<Outcome>;
};

/** The outcome of an item that waits. */
export function waitFor(reason: string, { retryMs }: { readonly retryMs?: number } = {}): Waiting {
  return retryMs === undefined ? { reason } : { reason, retryMs };
}
