import { fieldsOf } from '@nodecore/config';

import type { Part } from './input.ts';

/**
 * The fields of a root document that have a description: what this version reads. Files for older versions have fields that were
 * replaced by documents, of which it may not know all.
 */
export function describedRoot(root: Part): { readonly root: Part; readonly leftOut: readonly string[] } {
  const known = new Set(fieldsOf('machine').map(({ path }) => path));
  const below = new Set([...known].map((path) => path.replace(/\.[^.]+$/u, '')));
  const leftOut: string[] = [];
  const prune = (part: Part, before: string): Part =>
    Object.fromEntries(
      Object.entries(part).flatMap(([name, value]) => {
        const path = `${before}${name}`;
        if (!known.has(path)) {
          leftOut.push(path);
          return [];
        }
        const goesOn = typeof value === 'object' && value !== null && !Array.isArray(value) && below.has(path);
        return [[name, goesOn ? prune(value as Part, `${path}.`) : value]];
      }),
    );
  return { root: prune(root, ''), leftOut };
}
