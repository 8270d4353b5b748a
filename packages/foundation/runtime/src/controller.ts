import type { Access } from './access.ts';
import type { Declaration } from './declaration.ts';
import type { Outside } from './outside.ts';

/**
 * What became of an item: nothing is left to do until an input changes; or nothing until some time has passed; or it waits,
 * which users are told.
 */
export type Outcome = void | Again | Waiting;

/** It is as it should be now; milliseconds until it is looked at again, when no input changes before. */
export type Again = { readonly againMs: number };

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
export type Controller = Declaration & {
  /** Items handled at the same time; 1 by default. */
  readonly concurrency?: number;
  /**
   * What wakes items beside the inputs: the kernel, a clock, a caller. Works until the signal fires; when it fails or ends
   * by itself it begins again after a growing delay.
   */
  readonly outside?: Outside;
  /** Makes one item right. A throw is a failure: tried again with back-off, its message is told to users. */
  reconcile(item: string, access: Access, signal: AbortSignal): Promise<Outcome>;
};

/** The outcome of an item that is right for now: nothing is told of it. A turn that comes later is no reason to wait. */
export function lookAgain(againMs: number): Again {
  return { againMs };
}

/** The outcome of an item that waits. */
export function waitFor(reason: string, { retryMs }: { readonly retryMs?: number } = {}): Waiting {
  return retryMs === undefined ? { reason } : { reason, retryMs };
}
