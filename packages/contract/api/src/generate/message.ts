import protobuf from 'protobufjs';
import { isOptional } from './schema.ts';
import { scalarOf, tagOf } from './scalar.ts';

/** JavaScript that encodes and decodes one message. */
export function messageSource(message: protobuf.Type): string {
  return [
    `export const ${message.name} = {`,
    `  name: '${message.fullName.slice(1)}',`,
    `  encode: (message) => write${message.name}(message, protobuf.Writer.create()).finish(),`,
    `  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return read${message.name}(reader, reader.len); },`,
    `};`,
    ``,
    `function write${message.name}(message, writer) {`,
    ...message.fieldsArray.map((field) => `  ${writeStatement(field)}`),
    `  return writer;`,
    `}`,
    ``,
    `function read${message.name}(reader, end) {`,
    `  const message = { ${message.fieldsArray.flatMap(initialValue).join(', ')} };`,
    `  while (reader.pos < end) {`,
    `    const tag = reader.tag();`,
    `    switch (tag) {`,
    ...message.fieldsArray.flatMap((field) => [
      ...(isPacked(field) ? [`      case ${packedTagOf(field)}: ${readPacked(field)} break;`] : []),
      `      case ${tagOf(field)}: ${readStatement(field)} break;`,
    ]),
    `      default: reader.skipType(tag & 7, 0, tag >>> 3);`,
    `    }`,
    `  }`,
    `  return message;`,
    `}`,
    ``,
  ].join('\n');
}

function writeStatement(field: protobuf.Field): string {
  const value = `message.${field.name}`;
  const tag = `writer.uint32(${tagOf(field)})`;
  if (field instanceof protobuf.MapField) {
    assertStringMap(field);
    return `if (${value} !== undefined) for (const [key, item] of Object.entries(${value})) ${tag}.fork().uint32(10).string(key).uint32(18).string(item).ldelim();`;
  }
  const scalar = scalarOf(field);
  const write = (item: string): string =>
    scalar === undefined
      ? `write${field.resolvedType!.name}(${item}, ${tag}.fork()).ldelim();`
      : `${tag}.${scalar.write(item)};`;
  if (isPacked(field))
    return `if (${value} !== undefined && ${value}.length > 0) { writer.uint32(${packedTagOf(field)}).fork(); for (const item of ${value}) writer.${scalar!.write('item')}; writer.ldelim(); }`;
  if (field.repeated) return `if (${value} !== undefined) for (const item of ${value}) ${write('item')}`;
  const absent =
    scalar === undefined || isOptional(field)
      ? `${value} === undefined`
      : `${value} === undefined || ${scalar.isZero(value)}`;
  return `if (!(${absent})) ${write(value)}`;
}

function initialValue(field: protobuf.Field): string[] {
  if (field.map) return [`${field.name}: {}`];
  if (field.repeated) return [`${field.name}: []`];
  const scalar = scalarOf(field);
  return scalar === undefined || isOptional(field) ? [] : [`${field.name}: ${scalar.zero}`];
}

function readStatement(field: protobuf.Field): string {
  if (field.map) return `readEntry(reader, message.${field.name});`;
  const read = scalarOf(field)?.read ?? `read${field.resolvedType!.name}(reader, endOf(reader))`;
  return field.repeated ? `message.${field.name}.push(${read});` : `message.${field.name} = ${read};`;
}

/** A list of numbers is written as one field. Readers take the other form too: old writers have it. */
function isPacked(field: protobuf.Field): boolean {
  const scalar = scalarOf(field);
  return field.repeated && scalar !== undefined && scalar.wireType !== 2;
}

function packedTagOf(field: protobuf.Field): number {
  return (field.id << 3) | 2;
}

function readPacked(field: protobuf.Field): string {
  const push = `message.${field.name}.push(${scalarOf(field)!.read});`;
  return `{ const end = endOf(reader); while (reader.pos < end) ${push} }`;
}

function assertStringMap(field: protobuf.MapField): void {
  if (field.keyType !== 'string' || field.type !== 'string')
    throw new Error(`${field.fullName}: no code is generated for maps other than of strings to strings`);
}

/** JavaScript before the first message: what all of them use. */
export const messagePrelude = `import protobuf from 'protobufjs/minimal.js';

const toBits = (value) => ({ low: Number(value & 0xffffffffn), high: Number((value >> 32n) & 0xffffffffn) });

// The library's own reader gives other types where it does not find the package long.
function readUnsigned(reader) {
  let [low, high] = [0, 0];
  for (let shift = 0; shift < 70; shift += 7) {
    if (reader.pos >= reader.len) throw new RangeError('message ends inside a field');
    const byte = reader.buf[reader.pos++];
    if (shift < 32) low |= (byte & 127) << shift;
    if (shift > 28) high |= (byte & 127) << (shift - 32);
    else if (shift === 28) high |= (byte & 127) >> 4;
    if (byte < 128) return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }
  throw new RangeError('a number takes ten bytes at most');
}

const readSigned = (reader) => BigInt.asIntN(64, readUnsigned(reader));

function endOf(reader) {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError('message ends inside a field');
  return end;
}

function readEntry(reader, record) {
  const end = endOf(reader);
  let key = '';
  let value = '';
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) key = reader.string();
    else if (tag === 18) value = reader.string();
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  // Assignment would run the setter of a key like __proto__.
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
`;
