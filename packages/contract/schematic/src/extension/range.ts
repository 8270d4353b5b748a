import { compareVersions, isVersion } from '../release/version.ts';

const comparator = /^(?<operator>>=|<=|>|<|=)?\s*(?<version>v\S+)$/;

const operators: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '=': (order) => order === 0,
};

/**
 * Whether a version is in a range as manifests have it: `>= v1.14.0 < v1.16.0`, alternatives with `||`, commas or white space between
 * what must be true together. Pre-releases are versions like all others. Undefined for a text that is no range.
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const alternatives = range.split('||').map((text) => {
    const all = text
      .trim()
      .replaceAll(/([<>=])\s+/g, '$1')
      .split(/[\s,]+/);
    return all.map((each) => matches(version, each));
  });
  if (alternatives.flat().includes(undefined)) return undefined;
  return alternatives.some((all) => all.every((one) => one === true));
}

function matches(version: string, text: string): boolean | undefined {
  const { operator = '=', version: bound = '' } = comparator.exec(text)?.groups ?? {};
  return isVersion(bound) ? operators[operator]?.(compareVersions(version, bound)) : undefined;
}
