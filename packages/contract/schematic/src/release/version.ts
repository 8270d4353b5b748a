import { ReleaseError } from './errors.ts';

const pattern =
  /^v(?<major>0|[1-9]\d{0,5})\.(?<minor>0|[1-9]\d{0,5})\.(?<patch>0|[1-9]\d{0,5})(?:-(?<pre>[0-9A-Za-z]{1,32}(?:\.[0-9A-Za-z]{1,32}){0,7}))?$/;

/** A version of the system in its parts. */
export type Version = {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** `['alpha', '0']` of `v1.14.0-alpha.0`; empty for a final release. */
  readonly pre: readonly string[];
};

/** Whether a text is a version as in tags and URLs: `v1.14.0`, `v1.14.0-alpha.0`. */
export function isVersion(text: string): boolean {
  return pattern.test(text);
}

/**
 * Reads a version as it is in tags and URLs.
 *
 * @throws {ReleaseError} with `ERR_RELEASE_VERSION`.
 */
export function parseVersion(text: string): Version {
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined)
    throw new ReleaseError(
      'ERR_RELEASE_VERSION',
      'version',
      undefined,
      `${JSON.stringify(text)} is no version as v1.14.0`,
    );
  return {
    major: Number(groups['major']),
    minor: Number(groups['minor']),
    patch: Number(groups['patch']),
    pre: groups['pre']?.split('.') ?? [],
  };
}

/**
 * A version as files and `.osrel` have it: `1.14.0~alpha.0`. With `-` instead of `~` the boot loader would sort a
 * pre-release above its final release.
 *
 * @throws {ReleaseError} with `ERR_RELEASE_VERSION`.
 */
export function imageVersionOf(version: string): string {
  parseVersion(version);
  return version.slice(1).replace('-', '~');
}

/**
 * Below 0 when `a` is the older version, above 0 when it is the newer one (Semantic Versioning 2.0, 11).
 *
 * @throws {ReleaseError} with `ERR_RELEASE_VERSION`.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  return (
    left.major - right.major ||
    left.minor - right.minor ||
    left.patch - right.patch ||
    comparePre(left.pre, right.pre)
  );
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length; // a final release is above its pre-releases
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return Number(a) - Number(b);
  if (left !== right) return left ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
