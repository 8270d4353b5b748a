import type { Feature } from './feature.ts';

/**
 * Features in an order in which each comes behind those that it needs, else as they are listed.
 *
 * @throws {TypeError} when one needs a feature that is not listed, or itself by way of others.
 */
export function byNeed(
  features: readonly Feature<unknown>[],
  given: ReadonlySet<Feature<unknown>>,
): readonly Feature<unknown>[] {
  const listed = new Set(features);
  const sorted = new Set<Feature<unknown>>();
  const visit = (feature: Feature<unknown>, path: readonly Feature<unknown>[]): void => {
    if (sorted.has(feature) || given.has(feature)) return;
    const names = [...path, feature].map(({ name }) => name).join(' → ');
    if (path.includes(feature)) throw new TypeError(`features need each other: ${names}`);
    if (!listed.has(feature)) throw new TypeError(`a feature that is needed is not there: ${names}`);
    for (const needed of Object.values(feature.needs)) visit(needed, [...path, feature]);
    sorted.add(feature);
  };
  for (const feature of features) visit(feature, []);
  return [...sorted];
}
