import { Budget } from '../src/cel/budget.ts';
import { check } from '../src/cel/checker.ts';
import { evaluate } from '../src/cel/evaluator.ts';
import { Failure, Mistake } from '../src/cel/failure.ts';
import { CelMap } from '../src/cel/map.ts';
import { parse } from '../src/cel/parser.ts';
import { standardLanguage } from '../src/cel/standard.ts';
import { parseDuration, parseTimestamp } from '../src/cel/time-text.ts';
import { Uint } from '../src/cel/uint.ts';
import { Duration, isList, Timestamp, TypeName, type Value } from '../src/cel/values.ts';

/** One case of CEL's public conformance tests, as they are in JSON. */
export type Case = {
  /** `comparisons/eq_literal/eq_int`. */
  readonly name: string;
  readonly expr: string;
  readonly disableCheck?: boolean;
  readonly container?: string;
  readonly typeEnv?: readonly { readonly name: string; readonly ident: { readonly type: TypeJson } }[];
  readonly bindings?: Readonly<Record<string, { readonly value: ValueJson }>>;
  /** Without one, `true`; with `evalError` there is none. */
  readonly value?: ValueJson;
  readonly evalError?: unknown;
};

type TypeJson = {
  readonly primitive?: string;
  readonly messageType?: string;
  readonly dyn?: unknown;
  readonly listType?: { readonly elemType: TypeJson };
  readonly mapType?: { readonly keyType: TypeJson; readonly valueType: TypeJson };
};
type ValueJson = Readonly<Record<string, unknown>>;

type Suite = {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: Case }[];
};

/** The sections of the language itself; the others are extensions, or about protobuf messages. */
const core: readonly string[] = [
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'namespace',
  'parse',
  'plumbing',
  'string',
  'timestamps',
];
/** What only messages of protobuf are made for; selectors have none that can be made in an expression. */
const messages = /TestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|GlobalEnum/u;

/** The cases of the core sections that are not about messages of protobuf. */
export async function coreCases(): Promise<readonly Case[]> {
  // Named by a value: the types of the package would bring in those of protobuf.
  const specifier = '@bufbuild/cel-spec/testdata/conformance.js';
  const { tests } = (await import(specifier)) as { readonly tests: Suite };
  const sections = (tests.suites ?? []).filter(({ name }) => core.includes(name));
  return sections
    .flatMap((section) => casesOf(section, section.name))
    .filter((each) => !messages.test(JSON.stringify(each)));
}

function casesOf(suite: Suite, path: string): readonly Case[] {
  const own = (suite.tests ?? []).map(({ original }) => ({ ...original, name: `${path}/${original.name}` }));
  return [...own, ...(suite.suites ?? []).flatMap((each) => casesOf(each, `${path}/${each.name}`))];
}

/** How an implementation fails a case; undefined when it does not. */
export function failureOf(one: Case): string | undefined {
  const language = standardLanguage();
  for (const { name, ident } of one.typeEnv ?? []) language.addVariable(name, typeName(ident.type));
  const bindings = Object.fromEntries(
    Object.entries(one.bindings ?? {}).map(([name, { value }]) => [name, valueOf(value)]),
  );
  try {
    const node = parse(one.expr, language);
    if (one.disableCheck !== true) check(node, language);
    const value = evaluate(node, language, bindings, new Budget());
    if (one.evalError !== undefined) return `gives ${text(value)}, not an error`;
    const expected = one.value === undefined ? true : valueOf(one.value);
    return text(value) === text(expected) ? undefined : `gives ${text(value)}, not ${text(expected)}`;
  } catch (error) {
    if (error instanceof Failure && one.evalError !== undefined) return undefined;
    if (error instanceof Mistake) return `does not compile: ${error.message}`;
    if (error instanceof Failure) return `fails: ${error.message}`;
    throw error;
  }
}

function typeName(type: TypeJson): string {
  if (type.listType !== undefined) return `list<${typeName(type.listType.elemType)}>`;
  if (type.mapType !== undefined)
    return `map<${typeName(type.mapType.keyType)}, ${typeName(type.mapType.valueType)}>`;
  if (type.messageType === 'google.protobuf.Duration') return 'duration';
  if (type.messageType === 'google.protobuf.Timestamp') return 'timestamp';
  const names: Readonly<Record<string, string>> = { INT64: 'int', UINT64: 'uint' };
  return type.primitive === undefined ? 'dyn' : (names[type.primitive] ?? type.primitive.toLowerCase());
}

const readers: Readonly<Record<string, (json: never) => Value>> = {
  nullValue: () => null,
  boolValue: (json: boolean) => json,
  int64Value: (json: string) => BigInt(json),
  uint64Value: (json: string) => new Uint(BigInt(json)),
  doubleValue: (json: number | string) => Number(json),
  stringValue: (json: string) => json,
  bytesValue: (json: string) => Uint8Array.from(Buffer.from(json, 'base64')),
  typeValue: (json: string) => new TypeName(json),
  listValue: ({ values = [] }: { values?: readonly ValueJson[] }) => values.map(valueOf),
  mapValue: ({ entries = [] }: { entries?: readonly { key: ValueJson; value: ValueJson }[] }) =>
    new CelMap(entries.map(({ key, value }) => [valueOf(key), valueOf(value)] as const)),
  objectValue: (json: { '@type': string; value: string }) =>
    json['@type'].endsWith('.Duration') ? parseDuration(json.value) : parseTimestamp(json.value),
};

function valueOf(json: ValueJson): Value {
  const [[kind, content] = ['', undefined]] = Object.entries(json);
  const read = readers[kind];
  if (read === undefined) throw new TypeError(`values of ${kind} are not known`);
  return read(content as never);
}

/** A value with its type, the same text for the same value. */
function text(value: Value): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (typeof value === 'number') return `double ${value}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  if (value instanceof Timestamp || value instanceof Duration) return `time ${value.nanoseconds}`;
  if (value instanceof TypeName) return `type ${value.name}`;
  if (value instanceof CelMap)
    return `{${[...value.entries()]
      .map(([key, each]) => `${text(key)}: ${text(each)}`)
      .sort()
      .join(', ')}}`;
  if (isList(value)) return `[${value.map(text).join(', ')}]`;
  return typeof value === 'bigint' || typeof value === 'boolean' || value === null ? `${value}` : 'a thing';
}
