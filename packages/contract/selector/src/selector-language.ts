import { type Language, overload } from './cel/language.ts';
import { standardLanguage } from './cel/standard.ts';
import { Uint } from './cel/uint.ts';
import { textOf } from './cel/values.ts';
import { glob } from './glob.ts';

/** Sizes as the documents write them. The k of `kB` is small, as in SI. */
export const unitConstants: Readonly<Record<string, bigint>> = {
  KiB: 1n << 10n,
  MiB: 1n << 20n,
  GiB: 1n << 30n,
  TiB: 1n << 40n,
  PiB: 1n << 50n,
  EiB: 1n << 60n,
  kB: 10n ** 3n,
  MB: 10n ** 6n,
  GB: 10n ** 9n,
  TB: 10n ** 12n,
  PB: 10n ** 15n,
  EB: 10n ** 18n,
};

/** CEL with its standard library, the unit constants and `glob`, before any variable is declared. */
export function selectorLanguage(): Language {
  const language = standardLanguage();
  for (const [name, value] of Object.entries(unitConstants))
    language.addConstant(name, 'uint', new Uint(value));
  return language.addFunction(
    overload('glob(string, string): bool', ([pattern, subject], budget) => {
      budget.spendOnSearch(textOf(subject), textOf(pattern));
      return glob(textOf(pattern), textOf(subject));
    }),
  );
}
