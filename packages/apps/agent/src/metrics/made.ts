import type { ResourceDefinition } from '@nodecore/api';
import type { Store } from '@nodecore/state';
import { Counter, Gauge, type Registry } from 'prom-client';

import { kindOf } from '../resources/definitions.ts';

export type Spec = Readonly<Record<string, unknown>>;

type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export type Value = { readonly labels?: Labels; readonly value: number };

export type MetricText = {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
};

/** A metric whose values are read at each scrape. What is not known is left out, and never 0. */
export function gauge(registry: Registry, text: MetricText, read: () => readonly Value[]): void {
  const made: Gauge = new Gauge({
    ...text,
    labelNames: [...(text.labelNames ?? [])],
    registers: [registry],
    collect: () => {
      made.reset();
      if (text.labelNames === undefined) made.remove();
      for (const { labels = {}, value } of read()) made.set(labels, value);
    },
  });
}

/** The same, of what only grows while the agent runs. */
export function counter(registry: Registry, text: MetricText, read: () => readonly Value[]): void {
  const made: Counter = new Counter({
    ...text,
    labelNames: [...(text.labelNames ?? [])],
    registers: [registry],
    collect: () => {
      made.reset();
      for (const { labels = {}, value } of read()) made.inc(labels, value);
    },
  });
}

/** Id and spec of each resource of a type. */
export function specsOf(store: Store, definition: ResourceDefinition): readonly (readonly [string, Spec])[] {
  return store.list(kindOf(definition)).resources.map(({ metadata, spec }) => [metadata.id, spec as Spec]);
}

/** How many have each value of a field. */
export function countedBy(specs: readonly (readonly [string, Spec])[], field: string): readonly Value[] {
  const groups = Map.groupBy(specs, ([, spec]) => {
    const value = spec[field];
    return typeof value === 'string' ? value : 'unknown';
  });
  return [...groups].map(([name, list]) => ({ labels: { [field]: name }, value: list.length }));
}
