import { type Documents } from './documents.ts';

/** Reports containers that wait for others that are not there, or for each other, and that mount volumes nobody describes. */
export function checkContainers(documents: Documents): void {
  const containers = documents.of('ContainerConfig');
  const needs = new Map(containers.map(({ value }) => [value.name, value.dependsOn?.containers ?? []]));
  const volumes = new Set(
    (['UserVolumeConfig', 'ExistingVolumeConfig', 'ExternalVolumeConfig'] as const).flatMap((kind) =>
      documents.of(kind).map(({ value }) => value.name),
    ),
  );
  for (const { value, at } of containers) {
    for (const [index, name] of (value.dependsOn?.containers ?? []).entries()) {
      const place = at.at('dependsOn', 'containers', index);
      if (!needs.has(name))
        documents.lacks(place, 'container.unknown', 'has no ContainerConfig of this name');
      const circle = name === value.name ? undefined : wayBack(needs, name, value.name);
      if (circle !== undefined)
        place.problem('container.circle', `waits for itself: ${[value.name, ...circle].join(' → ')}`);
    }
    for (const [index, { userVolume }] of (value.mounts ?? []).entries())
      if (userVolume !== undefined && !volumes.has(userVolume.name))
        documents.lacks(
          at.at('mounts', index, 'userVolume', 'name'),
          'container.volume',
          'has no volume document of this name',
        );
  }
}

/** The shortest way from one container to another by what each waits for. */
function wayBack(
  needs: ReadonlyMap<string, readonly string[]>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    for (const next of needs.get(way.at(-1) ?? '') ?? []) {
      if (next === to) return [...way, to];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}
