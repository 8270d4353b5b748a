import { type Place } from './place.ts';

/**
 * The name of a volume becomes a GPT label of at most 36 UTF-16 code units, of which two are the prefix (`u-`). Other
 * documents keep to the same length.
 */
const longest = 34;

/** A volume that others have made has no label of ours: its name is only the name of a directory. */
export const longestForeign = 253;

/** ASCII letters, digits and hyphens. */
export function isName(name: string): boolean {
  return /^[A-Za-z0-9-]{1,253}$/u.test(name);
}

/** Reports what is wrong with the name of a document. */
export function checkName(root: Place, name: string, limit: number = longest): void {
  if (name === '') root.problemAt('name', 'name.required', 'a name is required');
  else if (name.length > limit) {
    root.problemAt('name', 'name.length', `a name has at most ${limit} characters`);
  }
  if (!/^[A-Za-z0-9-]*$/u.test(name)) {
    root.problemAt('name', 'name.characters', 'a name consists of ASCII letters, digits and hyphens');
  }
}
