import {
  type Budget,
  type ColumnSource,
  type CompiledColumn,
  type Schema,
  type SchemaNode,
  Value,
} from '@nodecore/cgroup/schema';

import type { SeenCgroup } from './view.ts';

type Scalar = number | bigint | string | boolean;

/** What programs get of a cgroup; what is absent is left out. */
export type Values = Readonly<Record<string, Scalar | Readonly<Record<string, Scalar>>>>;

/**
 * The numbers behind the columns: with units in their names, by device where there is one per device, and 'max' for no limit.
 * A column of a schema file has no numbers behind it, and is told as its text by its name.
 */
export function valuesOf(schema: Schema, node: SchemaNode, cgroup: SeenCgroup, budget: Budget): Values {
  const texts = schema.columns.some(isText) ? schema.row(node, budget) : [];
  return keyed<Values[string]>(
    schema.columns.flatMap((column, index): [string, Values[string] | undefined][] => {
      const { name, sources } = column;
      if (isText(column)) return [[name, (texts[index] ?? '').trim()]];
      return sources.map((source) => [
        source.key,
        bySource(source, cgroup, node, (line) => valueOf(source, cgroup, line)),
      ]);
    }),
  );
}

/** Names of processes are told as such. */
function isText({ sources, template }: CompiledColumn): boolean {
  return sources.length === 0 && !template.processNames;
}

/** Growth per second of the counters among them, by the same names. */
export function ratesOf(schema: Schema, node: SchemaNode, cgroup: SeenCgroup): Values {
  const counters = schema.columns.flatMap(({ sources }) => sources.filter(({ counter }) => counter));
  return keyed<Values[string]>(
    counters.map((source) => [
      source.key,
      bySource(source, cgroup, node, (line) => {
        if (valueOf(source, cgroup, line) === undefined) return undefined;
        return cgroup.rate(source.file, [line, source.part].filter(Boolean).join(' '));
      }),
    ]),
  );
}

/** The value of a line, or those of all devices that have one. */
function bySource(
  { file, line, perDevice }: ColumnSource,
  cgroup: SeenCgroup,
  { deviceName }: SchemaNode,
  of: (line: string | undefined) => Scalar | undefined,
): Scalar | Readonly<Record<string, Scalar>> | undefined {
  if (perDevice !== true) return of(line);
  const devices = (cgroup.text(file) ?? '')
    .split('\n')
    .flatMap((row) => /^\d+:\d+(?= )/.exec(row)?.[0] ?? []);
  return keyed(devices.map((device) => [deviceName?.(device) ?? device, of(device)])) as Record<
    string,
    Scalar
  >;
}

function valueOf(
  { file, part, unit }: ColumnSource,
  cgroup: SeenCgroup,
  line: string | undefined,
): Scalar | undefined {
  const rows = cgroup.text(file)?.split('\n');
  if (rows === undefined) return undefined;
  if (line === '#') return rows.filter(Boolean).length;
  const row = line === undefined ? rows[0] : rows.find((each) => each.startsWith(`${line} `));
  if (unit === 'text') return row;
  if (row === undefined) return undefined;
  const words = row.split(' ');
  if (unit === 'flag') return row === '' ? undefined : row !== '0';
  if (part === undefined) return scalar(words[line === undefined ? 0 : 1]);
  if (line === undefined) return scalar(words[Number(part)]);
  return scalar(words.find((word) => word.startsWith(`${part}=`))?.slice(part.length + 1));
}

function scalar(word: string | undefined): Scalar | undefined {
  const value = Value.parse(word ?? '');
  if (value.kind === 'unset') return undefined;
  if (value.kind === 'max') return 'max';
  const number = value.number();
  return value.decimals > 0 || Number.isSafeInteger(number) ? number : value.digits;
}

function keyed<Each>(pairs: readonly (readonly [string, Each | undefined])[]): Record<string, Each> {
  return Object.fromEntries(pairs.filter((pair): pair is [string, Each] => pair[1] !== undefined));
}
