import type { Kind } from '@nodecore/state';
import type { Dependency as ControllerEdge } from '@nodecore/runtime';

import { kindOf } from '../resources/definitions.ts';
import type { Feature } from './feature.ts';

/** How a part of the agent, a feature or a controller, hangs together with resources or with another part. */
export type Dependency = { readonly part: string } & (
  | { readonly kind: 'need'; readonly need: string }
  | {
      readonly kind: 'strong' | 'weak' | 'awaiting-destruction' | 'exclusive' | 'shared';
      /** With an id: one resource. */
      readonly resources: Kind & { readonly id?: string };
    }
);

/** A feature as it runs. */
export type RunningFeature = {
  readonly feature: Feature<unknown>;
  /** Names of its controllers. */
  readonly controllers: readonly string[];
};

/**
 * The graph of features and controllers and of the resources that they meet in, in the order of the features. A controller
 * needs its feature. What a feature says of itself is left out where a controller of it says the same.
 */
export function dependenciesOf(
  running: readonly RunningFeature[],
  edges: readonly ControllerEdge[],
): readonly Dependency[] {
  const features = running.map(({ feature }) => feature);
  const writers = new Map<string, number>();
  for (const { writes } of features)
    for (const { type } of writes) writers.set(type, (writers.get(type) ?? 0) + 1);
  return running.flatMap(({ feature, controllers }): Dependency[] => {
    const { name: part, needs, reads, holds, writes } = feature;
    const own = edges.filter(({ controller }) => controllers.includes(controller));
    const known = new Set(own.map(({ type, direction }) => `${direction} ${type}`));
    return [
      ...Object.values(needs)
        .filter((needed) => features.includes(needed))
        .map(({ name: need }) => ({ part, kind: 'need', need }) as const),
      ...controllers
        .filter((name) => name !== part)
        .map((name) => ({ part: name, kind: 'need', need: part }) as const),
      ...own.map(edgeOf),
      ...holds
        .filter(({ type }) => !known.has(`input ${type}`))
        .map((each) => ({ part, kind: 'strong', resources: kindOf(each) }) as const),
      ...reads
        .filter(({ type }) => !known.has(`input ${type}`))
        .map((each) => ({ part, kind: 'weak', resources: kindOf(each) }) as const),
      ...writes
        .filter(({ type }) => !known.has(`output ${type}`))
        .map((each) => {
          const kind = writers.get(each.type) === 1 ? ('exclusive' as const) : ('shared' as const);
          return { part, kind, resources: kindOf(each) };
        }),
    ];
  });
}

function edgeOf({ controller: part, namespace, type, id, ...edge }: ControllerEdge): Dependency {
  const resources = id === undefined ? { namespace, type } : { namespace, type, id };
  return { part, kind: edge.direction === 'input' ? edge.strength : edge.mode, resources };
}
