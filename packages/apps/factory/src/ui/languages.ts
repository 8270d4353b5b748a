import { german } from './texts-de.ts';
import { english, type Texts } from './texts.ts';

/** The languages of pages, by what `lang` says. */
export const languages: ReadonlyMap<string, Texts> = new Map([
  ['en', english],
  ['de', german],
]);

/** @param accept the header `Accept-Language`; what is asked for in the address counts before it, when it is a language that there is. */
export function textsFor(asked: string | null, accept: string | undefined): Texts {
  const found = asked === null ? undefined : languages.get(asked);
  if (found !== undefined) return found;
  for (const range of (accept ?? '').slice(0, 256).split(',')) {
    const [tag = ''] = range.trim().toLowerCase().split(/[-;]/, 1);
    const texts = languages.get(tag);
    if (texts !== undefined) return texts;
  }
  return english;
}
