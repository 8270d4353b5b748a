import { Failure } from './failure.ts';
import { matches, refusePattern } from './matches.ts';
import { type Overload, overload } from './language.ts';
import { isList, type Value, textOf } from './values.ts';
import type { CelMap } from './map.ts';

type Search = (text: string, wanted: string) => boolean | bigint;

/** A function of a text and another that is looked for in it. */
function search(signature: string, run: Search): Overload {
  return overload(signature, ([text, wanted], budget) => {
    budget.spendOnSearch(textOf(text), textOf(wanted));
    return run(textOf(text), textOf(wanted));
  });
}

function change(name: string, run: (text: string) => string): Overload {
  return overload(`string.${name}(): string`, ([text], budget) => {
    budget.spendOn(textOf(text).length);
    return run(textOf(text));
  });
}

/** Functions of texts: those of the standard, and what people use of the extension for strings. */
export const textFunctions = (): readonly Overload[] => [
  search('string.startsWith(string): bool', (text, wanted) => text.startsWith(wanted)),
  search('string.endsWith(string): bool', (text, wanted) => text.endsWith(wanted)),
  search('string.contains(string): bool', (text, wanted) => text.includes(wanted)),
  search('string.indexOf(string): int', (text, wanted) => BigInt(text.indexOf(wanted))),
  search('string.lastIndexOf(string): int', (text, wanted) => BigInt(text.lastIndexOf(wanted))),
  overload('string.matches(string): bool', matches, refusePattern),
  overload('matches(string, string): bool', matches, refusePattern),
  change('lowerAscii', (text) => text.replaceAll(/[A-Z]+/gu, (letters) => letters.toLowerCase())),
  change('upperAscii', (text) => text.replaceAll(/[a-z]+/gu, (letters) => letters.toUpperCase())),
  change('trim', (text) => text.trim()),
  overload('string.substring(int): string', ([text, from], budget) => {
    budget.spendOn(textOf(text).length);
    return cut(textOf(text), Number(from), textOf(text).length);
  }),
  overload('string.substring(int, int): string', ([text, from, to], budget) => {
    budget.spendOn(textOf(text).length);
    return cut(textOf(text), Number(from), Number(to));
  }),
  overload('string.split(string): list<string>', ([text, separator], budget) => {
    budget.spendOnSearch(textOf(text), textOf(separator));
    const parts = textOf(text).split(textOf(separator));
    budget.spend(parts.length);
    return parts;
  }),
  overload('list<string>.join(): string', ([list], budget) => join(list, '', budget)),
  overload('list<string>.join(string): string', ([list, by], budget) => join(list, textOf(by), budget)),
  ...['size(string): int', 'string.size(): int'].map((signature) =>
    overload(signature, ([text], budget) => {
      budget.spendOn(textOf(text).length);
      return BigInt(Array.from(textOf(text)).length);
    }),
  ),
  ...['size(bytes): int', 'bytes.size(): int', 'size(list): int', 'list.size(): int'].map((signature) =>
    overload(signature, ([value]) => BigInt((value as Uint8Array | readonly Value[]).length)),
  ),
  ...['size(map): int', 'map.size(): int'].map((signature) =>
    overload(signature, ([value]) => BigInt((value as CelMap).size)),
  ),
];

function cut(text: string, from: number, to: number): string {
  if (from < 0 || to < from || to > text.length) throw new Failure('substring() out of range');
  return text.slice(from, to);
}

function join(
  list: Value | undefined,
  by: string,
  budget: { spend(steps: number): void; spendOn(length: number): void },
): string {
  if (list === undefined || list === null || !isList(list)) throw new Failure('join() is called on a list');
  budget.spend(list.length);
  const texts = list.filter((each) => typeof each === 'string');
  if (texts.length < list.length) throw new Failure('join() is called on a list of strings');
  for (const text of texts) budget.spendOn(text.length + by.length);
  return texts.join(by);
}
