import { NewError } from './errors.ts';

/** A noun in the spellings that code needs. */
export type Name = {
  /** `clock-offset`: folders, files, commands. */
  readonly kebab: string;
  /** `clockOffset`: functions and fields. */
  readonly camel: string;
  /** `ClockOffset`: types and methods of the API. */
  readonly pascal: string;
  /** `clock offset`: in sentences. */
  readonly words: string;
};

/** Words that can not be the name of a variable, and folders that mean something else already. */
const reserved: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof var void while with yield command commands completion constructor help index nodes output'
  ).split(' '),
);

/** @throws {NewError} `ERR_NEW_NAME` for what is no kebab-case noun. */
export function nameOf(text: string): Name {
  if (!/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/u.test(text) || text.length > 40)
    throw new NewError('ERR_NEW_NAME', `"${text}" is no kebab-case noun, such as clock or clock-offset`);
  if (reserved.has(text))
    throw new NewError('ERR_NEW_NAME', `"${text}" has a meaning in the sources already; take another noun`);
  const parts = text.split('-');
  const pascal = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  return {
    kebab: text,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    words: parts.join(' '),
  };
}
