import type { VolumeSpec } from '../spec.ts';

type Mounted = { readonly spec: Pick<VolumeSpec, 'id' | 'mount'> };

/** In which order volumes are closed: what is mounted on others before them. Those of one wave have nothing to do with each other. */
export function closingOrder<T extends Mounted>(volumes: readonly T[]): readonly (readonly T[])[] {
  const waves: T[][] = [];
  for (const volume of volumes) (waves[depthOf(volume, volumes)] ??= []).push(volume);
  return waves.toReversed().filter((wave) => wave !== undefined);
}

/** On how many others it is mounted. */
function depthOf(volume: Mounted, volumes: readonly Mounted[]): number {
  const seen = new Set([volume.spec.id]);
  let parent = volume.spec.mount?.parent;
  while (parent !== undefined && !seen.has(parent)) {
    seen.add(parent);
    const id = parent;
    parent = volumes.find(({ spec }) => spec.id === id)?.spec.mount?.parent;
  }
  return seen.size - 1;
}
