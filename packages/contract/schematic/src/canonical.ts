import { compareNaturally } from './natural-order.ts';
import { emitFloat, emitText } from './scalar.ts';
import type { OptionValue, Schematic } from './schematic.ts';

/** What the emitter writes: a map keeps the order of its entries. */
type Value = string | number | bigint | boolean | null | readonly Value[] | ReadonlyMap<string, Value>;

/**
 * The canonical text of a schematic, of which its ID is the SHA-256. Empty values are left out; `customization` is always
 * there. Texts with control characters other than newline and tab have none: {@link parseSchematic} refuses them.
 */
export function canonicalText(schematic: Schematic): string {
  return `${mapLines(shapeOf(schematic), 0).join('\n')}\n`;
}

function shapeOf({ owner, overlay, customization = {} }: Schematic): ReadonlyMap<string, Value> {
  const { systemExtensions, secureboot, diskImage } = customization;
  return new Map<string, Value>([
    ...some('owner', owner),
    ...(overlay === undefined
      ? []
      : [
          [
            'overlay',
            new Map<string, Value>([
              ['image', overlay.image],
              ['name', overlay.name],
              ...some('options', overlay.options && optionOf(overlay.options)),
            ]),
          ] as const,
        ]),
    [
      'customization',
      new Map<string, Value>([
        ...some('embeddedMachineConfiguration', customization.embeddedMachineConfiguration),
        ...some('extraKernelArgs', customization.extraKernelArgs),
        ...some(
          'meta',
          customization.meta?.map(
            ({ key, value }) =>
              new Map<string, Value>([
                ['key', key],
                ['value', value],
              ]),
          ),
        ),
        ...some(
          'systemExtensions',
          new Map(some('officialExtensions', systemExtensions?.officialExtensions)),
        ),
        ...some('bootloader', customization.bootloader),
        ...some(
          'secureboot',
          new Map([
            ...some('enrollKeys', secureboot?.enrollKeys),
            ...some('includeWellKnownCertificates', secureboot?.includeWellKnownCertificates),
          ]),
        ),
        ...some('diskImage', new Map(some('sectorSize', diskImage?.sectorSize))),
      ]),
    ],
  ]);
}

/** The entry, unless its value is empty. */
function some(name: string, value: Value | undefined): [string, Value][] {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return [];
  if (isList(value) && value.length === 0) return [];
  if (value instanceof Map && value.size === 0) return [];
  return [[name, value]];
}

function optionOf(value: OptionValue): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly OptionValue[]).map((item) => optionOf(item));
  const entries = Object.entries(value as { readonly [name: string]: OptionValue });
  return new Map(
    entries.sort(([a], [b]) => compareNaturally(a, b)).map(([name, item]) => [name, optionOf(item)]),
  );
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The next stop above a column. */
function stop(column: number): number {
  return 4 * (Math.floor(column / 4) + 1);
}

/** The lines of a map that has an entry, its names in this column. */
function mapLines(map: ReadonlyMap<string, Value>, column: number): string[] {
  const margin = ' '.repeat(column);
  return [...map].flatMap(([name, value]) => {
    const key = `${margin}${emitText(name, 0)}:`;
    if (isList(value) && value.length > 0) return [key, ...listLines(value, stop(column))];
    if (value instanceof Map && value.size > 0) return [key, ...mapLines(value, stop(column))];
    return [`${key} ${emitScalar(value, stop(column))}`];
  });
}

/** The lines of a list that has an item, its dashes in this column. */
function listLines(list: readonly Value[], column: number): string[] {
  const inside = column + 2;
  return list.flatMap((value) => {
    const lines =
      isList(value) && value.length > 0
        ? listLines(value, inside)
        : value instanceof Map && value.size > 0
          ? mapLines(value, inside)
          : [`${' '.repeat(inside)}${emitScalar(value, inside)}`];
    const [first = '', ...others] = lines;
    return [`${' '.repeat(column)}- ${first.slice(inside)}`, ...others];
  });
}

function emitScalar(value: Value, indent: number): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return emitText(value, indent);
  if (typeof value === 'number') return emitFloat(value);
  if (isList(value)) return '[]';
  return typeof value === 'object' ? '{}' : String(value);
}
