import type { ResourceDefinition } from '@nodecore/api';
import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import { counter, gauge, type Spec, specsOf, type Value } from './made.ts';

/** A metric whose values are a field of resources; a counter where its name ends in `_total`. */
export type FieldMetric = {
  readonly name: string;
  readonly help: string;
  readonly of: ResourceDefinition;
  /** The label that has the id of the resource; none where there is one resource at most. */
  readonly label?: string;
  /** A number, or a boolean that is 1 or 0; anything else is not known, and left out. */
  readonly read: (spec: Spec) => unknown;
};

/** Reads each of them from the store when it is asked for. */
export function fieldMetrics(registry: Registry, store: Store, metrics: readonly FieldMetric[]): void {
  for (const { name, help, of, label, read } of metrics) {
    const make = name.endsWith('_total') ? counter : gauge;
    make(registry, { name, help, ...(label !== undefined && { labelNames: [label] }) }, () =>
      specsOf(store, of).flatMap(([id, spec]): readonly Value[] => {
        const value = numberOf(read(spec));
        return value === undefined
          ? []
          : [{ ...(label !== undefined && { labels: { [label]: id } }), value }];
      }),
    );
  }
}

/** Seconds since the Unix epoch of a time as resources have it. */
export function secondsOf(time: unknown): number | undefined {
  return typeof time === 'string' ? Date.parse(time) / 1000 : undefined;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
