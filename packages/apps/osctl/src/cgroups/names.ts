import type { CgroupName } from '@nodecore/api/cgroup';

/** What a row may be called. */
export type Named = { readonly path: string; readonly name: CgroupName | undefined };

/** The part of a container's id that people know it by. */
const shortId = 12;

/**
 * What siblings are called in a tree: by who they are, or as their directories where nobody knows. Two that would be called
 * the same stay apart by their ids, and if that doesn't help, by their directories.
 */
export function shownNames(siblings: readonly Named[]): readonly string[] {
  const plain = siblings.map(({ path, name }) => name?.name ?? lastOf(path));
  const withId = siblings.map(({ name }, index) => {
    const shown = plain[index] ?? '';
    const isAlone = plain.indexOf(shown) === plain.lastIndexOf(shown);
    return isAlone || name === undefined ? shown : `${shown} (${name.id.slice(0, shortId)})`;
  });
  return siblings.map(({ path }, index) => {
    const shown = withId[index] ?? '';
    return withId.indexOf(shown) === withId.lastIndexOf(shown) ? shown : lastOf(path);
  });
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
