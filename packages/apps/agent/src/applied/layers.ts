import { fieldsOf, type Json, type Resource } from '@nodecore/state';

/** Who says something, from the weakest to the strongest. `operator`: what the network's servers say, by DHCP. */
export const layers = ['default', 'cmdline', 'platform', 'operator', 'configuration'] as const;

export type Layer = (typeof layers)[number];

/** Specs of several who want something, the strongest first; of one layer in the order of their ids. */
export function strongestFirst(specs: readonly Resource[]): readonly Resource[] {
  return specs.toSorted((a, b) => rank(b) - rank(a));
}

function rank({ spec }: Resource): number {
  return layers.indexOf(layerOf(spec));
}

/** The layer that a spec says it is of; the weakest, when it says none. */
export function layerOf(spec: Json): Layer {
  const { layer } = fieldsOf(spec);
  return layers.find((one) => one === layer) ?? 'default';
}
