import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A one-line change to safety code that a test must notice. */
export type Mutant = {
  /** The source file, relative to the package. */
  readonly file: string;
  /** The whole line, without the blanks around it. */
  readonly line: string;
  /** The whole line before it, where `line` stands in the file more than once. */
  readonly after?: string;
  /** What stands there instead; `''` takes the line away. */
  readonly becomes: string;
  /** Test files, relative to the package: at least one must fail. */
  readonly caughtBy: readonly string[];
  /** What goes wrong without the line. */
  readonly guards: string;
};

/** A mutant with the directory of its package, relative to the checkout. */
export type PlacedMutant = Mutant & { readonly directory: string };

const keys: ReadonlySet<string> = new Set(['file', 'line', 'after', 'becomes', 'caughtBy', 'guards']);

/** Every mutant of the lists `packages/…/test/mutants.json`. @throws {TypeError} naming the list and the entry. */
export function readMutants(checkout: string): PlacedMutant[] {
  return globSync(['packages/**/test/mutants.json'], {
    cwd: checkout,
    exclude: ['**/node_modules/**'],
  })
    .sort()
    .flatMap((list) => {
      const entries: unknown = JSON.parse(readFileSync(join(checkout, list), 'utf8'));
      if (!Array.isArray(entries)) throw new TypeError(`${list}: not a list`);
      const directory = dirname(dirname(list));
      return entries.map((entry: unknown, index) => {
        if (!isMutant(entry)) throw new TypeError(`${list}: entry ${index + 1} is not a mutant`);
        return { ...entry, directory };
      });
    });
}

function isMutant(entry: unknown): entry is Mutant {
  if (typeof entry !== 'object' || entry === null) return false;
  const { file, line, after, becomes, caughtBy, guards } = entry as Record<string, unknown>;
  const areTexts = [file, line, becomes, guards, after ?? ''].every((value) => typeof value === 'string');
  const isCaught = Array.isArray(caughtBy) && caughtBy.length > 0;
  return (
    areTexts &&
    isCaught &&
    caughtBy.every((test) => typeof test === 'string') &&
    Object.keys(entry).every((key) => keys.has(key))
  );
}

/**
 * The source with the mutant in place of its line.
 *
 * @throws {RangeError} the line is not there, or stands there more than once: the list is out of date.
 */
export function mutate(source: string, { file, line, after, becomes }: Mutant): string {
  const lines = source.split('\n');
  const places = [...lines.keys()].filter(
    (index) => lines[index]?.trim() === line && (after === undefined || lines[index - 1]?.trim() === after),
  );
  const [place, ...others] = places;
  if (place === undefined) throw new RangeError(`${file} has no line "${line}"`);
  if (others.length > 0) {
    throw new RangeError(`${file} has the line "${line}" ${places.length} times: say which with "after"`);
  }
  return lines.with(place, becomes).join('\n');
}
