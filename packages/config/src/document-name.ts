import { type Cursor } from './cursor.ts';

/**
 * One rule for the names of all documents. Its length is that of the strictest: a volume's name becomes a GPT label of
 * at most 36 UTF-16 code units, of which two are the prefix (`u-`).
 */
const longest = 34;

/** 1 to 34 ASCII letters, digits and hyphens. */
export function isName(name: string): boolean {
  return /^[A-Za-z0-9-]{1,34}$/u.test(name);
}

/** Reports what is wrong with the name of a document. */
export function checkName(root: Cursor, name: string): void {
  if (isName(name)) return;
  if (name === '') root.problemAt('name', 'name.required', 'a name is required');
  else if (name.length > longest) {
    root.problemAt('name', 'name.length', `a name has at most ${longest} characters`);
  }
  if (!/^[A-Za-z0-9-]*$/u.test(name)) {
    root.problemAt('name', 'name.characters', 'a name consists of ASCII letters, digits and hyphens');
  }
}
