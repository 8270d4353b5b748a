import { isNode, LineCounter, parseDocument, stringify, visit } from 'yaml';

import { type Field, type Fields, type Type } from '../../src/field/type.ts';
import { descriptionOf, kinds } from '../../src/kind/kinds.ts';
import { caCertificate, caKey } from '../fixtures/authority.ts';

export type Step = string | number;
export type Plain = Readonly<Record<string, unknown>>;

/** A place that the description of a kind has: a field, the item of a list, the value of a map. */
export type Described = {
  readonly kind: string;
  readonly path: readonly Step[];
  readonly type: Type<unknown>;
  /** Undefined for an item. */
  readonly field?: Field<unknown>;
};

/** Every kind, the root document among them. */
export const allKinds: readonly string[] = ['machine', ...kinds.keys()];

/** Every place of a kind; of a list and a map the first item. */
export function placesOf(kind: string): readonly Described[] {
  const found: Described[] = [];
  const visitType = (type: Type<unknown>, path: readonly Step[], field?: Field<unknown>): void => {
    if (path.length > 0) found.push({ kind, path, type, ...(field === undefined ? {} : { field }) });
    if (type.fields !== undefined) visitFields(type.fields, path);
    if (type.item !== undefined) visitType(type.item, [...path, isMap(type) ? 'key' : 0]);
  };
  const visitFields = (fields: Fields, path: readonly Step[]): void => {
    for (const [name, field] of Object.entries(fields)) visitType(field.type, [...path, name], field);
  };
  visitFields(descriptionOf(kind)?.options.fields ?? {}, []);
  return found;
}

export function isMap(type: Type<unknown>): boolean {
  return type.item !== undefined && type.json['type'] === 'object';
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ca = { crt: base64(caCertificate), key: base64(caKey) };

/** What the example of a kind says, with its head; numbers as they are written where JavaScript would write them otherwise. */
export function exampleOf(kind: string): Plain {
  if (kind === 'machine') return { version: 'v1alpha1', machine: { type: 'controlplane', ca }, cluster: {} };
  const document = parseDocument(descriptionOf(kind)?.options.example ?? '');
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'number' && scalar.source !== String(scalar.value))
        scalar.value = scalar.source;
    },
  });
  return { apiVersion: 'v1alpha1', kind, ...(document.toJS() as Plain) };
}

/** The same with a value at a path; what is on the way is made. */
export function withValue(value: unknown, [step, ...rest]: readonly Step[], put: unknown): unknown {
  if (step === undefined) return put;
  if (typeof step === 'number') {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return [withValue(items[step], rest, put), ...items.slice(1)];
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...fields, [step]: withValue((fields as Plain)[step], rest, put) };
}

/** The same without a field. */
export function withoutField(value: unknown, path: readonly Step[]): unknown {
  const [step, ...rest] = path;
  if (typeof step === 'number') return (value as unknown[]).map((item) => withoutField(item, rest));
  const { [step ?? '']: below, ...others } = value as Plain;
  return rest.length === 0 ? others : { ...others, [step ?? '']: withoutField(below, rest) };
}

/** What is at a path, also in maps; undefined where there is nothing. */
export function valueAt(value: unknown, path: readonly Step[]): unknown {
  let at = value;
  for (const step of path) {
    if (at instanceof Map) at = (at as Map<unknown, unknown>).get(step);
    else at = typeof at === 'object' && at !== null ? (at as Plain)[step] : undefined;
  }
  return at;
}

/** Whether there is something at a path. */
export function has(value: unknown, path: readonly Step[]): boolean {
  return valueAt(value, path) !== undefined;
}

/** The text of a document, with the place of one of its values. */
export function written(
  value: unknown,
  path: readonly Step[],
): { readonly text: string; readonly line: number; readonly column: number } {
  const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  const lines = new LineCounter();
  const node = parseDocument(text, { lineCounter: lines }).getIn(path, true);
  const { line, col } = lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0);
  return { text, line, column: col };
}

/** As findings show it. */
export function shownPath(path: readonly Step[]): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}
