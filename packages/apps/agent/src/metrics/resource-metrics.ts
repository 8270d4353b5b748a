import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import type { Catalog } from '../resources/catalog.ts';
import { counter, gauge, specsOf } from './made.ts';

export type ResourceMetricsParts = {
  readonly store: Store;
  readonly catalog: Pick<Catalog, 'definitions'>;
};

/** How much the node knows, and how often that changes. Types are code, so they are few. */
export function resourceMetrics(registry: Registry, { store, catalog }: ResourceMetricsParts): void {
  gauge(
    registry,
    { name: 'nodeos_resources', help: 'Resources of each type that has any.', labelNames: ['type'] },
    () =>
      catalog.definitions.flatMap((definition) => {
        const { length: value } = specsOf(store, definition);
        return value === 0 ? [] : [{ labels: { type: definition.type }, value }];
      }),
  );
  counter(registry, { name: 'nodeos_resource_changes_total', help: 'Changes of resources.' }, () => [
    { value: store.revision },
  ]);
}
