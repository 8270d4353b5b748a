import type { Field } from './field-table.ts';
import { Value } from './value.ts';

/** A cgroup as templates see it: where its texts come from is the caller's affair. */
export type SchemaNode = {
  /** Undefined when the file is absent. */
  readonly text: (file: string) => string | undefined;
  readonly parent: SchemaNode | undefined;
  /** By name. */
  readonly children: ReadonlyMap<string, SchemaNode>;
  /** Names of the processes, where the caller has looked them up. */
  readonly processNames?: readonly string[];
  /** `sda` for `8:0`, where the caller knows the devices. */
  readonly deviceName?: (device: string) => string | undefined;
};

/** Maps keep the order of their keys in the file; `range` and printing sort them. */
export type Dictionary<T> = ReadonlyMap<string, T>;

/** The value of a field in a template. */
export function fieldValue(node: SchemaNode, { file, shape }: Field): unknown {
  const text = node.text(file);
  const line = text?.split('\n', 1)[0] ?? '';
  switch (shape) {
    case 'value':
      return Value.parse(line);
    case 'text':
      return line;
    case 'words':
      return line
        .split(' ')
        .filter(Boolean)
        .map((word) => Value.parse(word));
    case 'lines':
      return rows(text).map((word) => Value.parse(word));
    case 'flat':
      return flat(text);
    case 'nested':
    default:
      return nested(text, file.startsWith('io.') ? node.deviceName : undefined);
  }
}

function rows(text: string | undefined): string[] {
  return text?.split('\n').filter(Boolean) ?? [];
}

function flat(text: string | undefined): Dictionary<Value> {
  const pairs = rows(text).map((row) => {
    const at = row.indexOf(' ');
    return at === -1 ? [row, Value.unset] : [row.slice(0, at), Value.parse(row.slice(at + 1))];
  });
  return new Map(pairs as [string, Value][]);
}

function nested(
  text: string | undefined,
  rename: ((key: string) => string | undefined) | undefined,
): Dictionary<Dictionary<Value>> {
  const map = new Map<string, Dictionary<Value>>();
  for (const row of rows(text)) {
    const [key = '', ...pairs] = row.split(' ');
    const values = pairs.flatMap((pair) => {
      const at = pair.indexOf('=');
      return at === -1 ? [] : [[pair.slice(0, at), Value.parse(pair.slice(at + 1))] as const];
    });
    const name = rename?.(key) ?? key;
    // Two devices by one name stay two.
    map.set(map.has(name) ? key : name, new Map(values));
  }
  return map;
}
