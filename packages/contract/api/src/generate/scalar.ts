import protobuf from 'protobufjs';

/** How one type of value is written in TypeScript, and read and written on the wire. */
export type Scalar = {
  readonly type: string;
  readonly wireType: 0 | 1 | 2;
  readonly zero: string;
  readonly isZero: (value: string) => string;
  readonly read: string;
  readonly write: (value: string) => string;
};

function number(name: string, wireType: 0 | 1): Scalar {
  return {
    type: 'number',
    wireType,
    zero: '0',
    isZero: (value) => `${value} === 0`,
    read: `reader.${name}()`,
    write: (value) => `${name}(${value})`,
  };
}

function bigint(name: string, reader: string): Scalar {
  return {
    type: 'bigint',
    wireType: 0,
    zero: '0n',
    isZero: (value) => `${value} === 0n`,
    read: `${reader}(reader)`,
    write: (value) => `${name}(toBits(${value}))`,
  };
}

const scalars: Readonly<Record<string, Scalar>> = {
  string: {
    type: 'string',
    wireType: 2,
    zero: "''",
    isZero: (value) => `${value} === ''`,
    read: 'reader.string()',
    write: (value) => `string(${value})`,
  },
  bytes: {
    type: 'Uint8Array',
    wireType: 2,
    zero: 'new Uint8Array()',
    isZero: (value) => `${value}.length === 0`,
    read: 'reader.bytes()',
    write: (value) => `bytes(${value})`,
  },
  bool: {
    type: 'boolean',
    wireType: 0,
    zero: 'false',
    isZero: (value) => `${value} === false`,
    read: 'reader.bool()',
    write: (value) => `bool(${value})`,
  },
  uint32: number('uint32', 0),
  int32: number('int32', 0),
  double: number('double', 1),
  uint64: bigint('uint64', 'readUnsigned'),
  int64: bigint('int64', 'readSigned'),
};

/** The scalar of a field's values; undefined when they are messages. */
export function scalarOf(field: protobuf.Field): Scalar | undefined {
  if (field.resolvedType instanceof protobuf.Enum)
    return { ...number('int32', 0), type: field.resolvedType.name };
  if (field.resolvedType instanceof protobuf.Type) return undefined;
  const scalar = scalars[field.type];
  if (scalar === undefined) throw new Error(`${field.fullName}: no code is generated for type ${field.type}`);
  return scalar;
}

/** The number that precedes a field's bytes. */
export function tagOf(field: protobuf.Field): number {
  const wireType = field.map ? 2 : (scalarOf(field)?.wireType ?? 2);
  return (field.id << 3) | wireType;
}
