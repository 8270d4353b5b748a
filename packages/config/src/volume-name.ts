/** A name becomes a GPT label of at most 36 UTF-16 code units, of which two are the prefix (`u-`). */
export const longestVolumeName = 34;

/** 1 to 34 ASCII letters, digits and hyphens. */
export function isVolumeName(name: string): boolean {
  return /^[A-Za-z0-9-]{1,34}$/u.test(name);
}
