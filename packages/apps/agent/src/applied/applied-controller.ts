import type { ResourceDefinition } from '@nodecore/api';
import { type Controller, type Outside, waitFor } from '@nodecore/runtime';
import type { Json, Resource } from '@nodecore/state';

import { kindOf } from '../resources/definitions.ts';

/** What came of making things so. */
export type Applied = {
  /** How each of them is, by id; what is not there any more has no status. */
  readonly statuses: ReadonlyMap<string, Json>;
  /** What is missing, in a sentence, for those who ask why; undefined when all is as wanted. */
  readonly waitsFor?: string | undefined;
};

export type AppliedParts = {
  /** Of the controller. */
  readonly name: string;
  /** What is wanted: one resource for each who wants something. Until there is one of the first kind nothing is done. */
  readonly specs: readonly [ResourceDefinition, ...ResourceDefinition[]];
  readonly statuses: ResourceDefinition;
  /** Makes all of it so, and gives back what nobody wants any more. */
  readonly apply: (specs: readonly Resource[], signal: AbortSignal) => Promise<Applied>;
  /** See {@link Controller}; wakes the item {@link everything}. */
  readonly outside?: Outside;
  /** How soon what is missing is looked for again; 5 s by default. */
  readonly retryMs?: number;
};

/** The one item of such a controller. */
export const everything = 'all';

/** The id of the resource that holds what the configuration wants. */
export const configured = 'configuration';

/**
 * A controller of things that are made so together: one that goes leaves what the others want. Before the first configuration has
 * spoken nothing is given back: an agent that begins anew would otherwise undo what its machine runs with.
 */
export function appliedController(parts: AppliedParts): Controller {
  const { name, specs, statuses, apply, outside, retryMs = 5000 } = parts;
  return {
    name,
    inputs: specs.map((each) => ({ ...kindOf(each), strength: 'weak', items: () => [everything] })),
    outputs: [{ ...kindOf(statuses), mode: 'exclusive' }],
    ...(outside && { outside }),
    reconcile: async (_item, access, signal) => {
      const [first = [], ...others] = await Promise.all(specs.map((each) => access.list(kindOf(each))));
      if (first.length === 0) return undefined;
      const { statuses: made, waitsFor } = await apply([...first, ...others.flat()], signal);
      await access.replace(kindOf(statuses), made);
      return waitsFor === undefined ? undefined : waitFor(waitsFor, { retryMs });
    },
  };
}
