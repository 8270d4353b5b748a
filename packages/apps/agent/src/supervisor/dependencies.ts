import type { ResourceDefinition } from '@nodecore/api';

import type { Feature } from './feature.ts';

/** How a feature hangs together with a type of resource, or with another feature. */
export type Dependency = { readonly feature: string } & (
  | { readonly kind: 'need'; readonly need: string }
  | {
      readonly kind: 'strong' | 'weak' | 'exclusive' | 'shared';
      readonly resources: ResourceDefinition;
    }
);

/** The graph of features and of the resources that they meet in, in the order of the features. */
export function dependenciesOf(features: readonly Feature<unknown>[]): readonly Dependency[] {
  const writers = new Map<ResourceDefinition, number>();
  for (const { writes } of features)
    for (const each of writes) writers.set(each, (writers.get(each) ?? 0) + 1);
  return features.flatMap(({ name: feature, needs, reads, holds, writes }): Dependency[] => [
    ...Object.values(needs)
      .filter((needed) => features.includes(needed))
      .map(({ name: need }) => ({ feature, kind: 'need', need }) as const),
    ...holds.map((resources) => ({ feature, kind: 'strong', resources }) as const),
    ...reads.map((resources) => ({ feature, kind: 'weak', resources }) as const),
    ...writes.map((resources) => {
      const kind = writers.get(resources) === 1 ? ('exclusive' as const) : ('shared' as const);
      return { feature, kind, resources };
    }),
  ]);
}
