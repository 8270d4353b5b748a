import protobuf from 'protobufjs';
import { enumValueName, isOptional } from './schema.ts';
import { scalarOf } from './scalar.ts';

/** TypeScript declarations of one message: as decoded, as given to encode, and the codec. */
export function messageTypes(message: protobuf.Type): string {
  return [
    ...comment(message.comment, ''),
    `export type ${message.name} = {`,
    ...message.fieldsArray.flatMap((field) => [
      ...comment(field.comment, '  '),
      `  readonly ${field.name}${isAbsentable(field) ? '?' : ''}: ${valueType(field, '')};`,
    ]),
    `};`,
    ``,
    `/** {@link ${message.name}} with defaults for what is left out. */`,
    `export type ${message.name}Init = {`,
    ...message.fieldsArray.map(
      (field) => `  readonly ${field.name}?: ${valueType(field, 'Init')} | undefined;`,
    ),
    `};`,
    ``,
    `export declare const ${message.name}: Codec<${message.name}, ${message.name}Init>;`,
    ``,
  ].join('\n');
}

/** Declarations of one enum: a value open to numbers this version does not know. */
export function enumTypes(entry: protobuf.Enum): string {
  return [
    ...comment(entry.comment, ''),
    `export declare const ${entry.name}: {`,
    ...Object.entries(entry.values).flatMap(([name, value]) => [
      ...comment(entry.comments[name] ?? null, '  '),
      `  readonly ${enumValueName(entry, name)}: ${value};`,
    ]),
    `};`,
    `export type ${entry.name} = (typeof ${entry.name})[keyof typeof ${entry.name}];`,
    ``,
  ].join('\n');
}

/** JavaScript of one enum. */
export function enumSource(entry: protobuf.Enum): string {
  const values = Object.entries(entry.values).map(
    ([name, value]) => `  ${enumValueName(entry, name)}: ${value},`,
  );
  return [`export const ${entry.name} = {`, ...values, `};`, ``].join('\n');
}

export const messageTypesPrelude = `/** Encodes and decodes one message. Decoded bytes are views of the input. */
export type Codec<Message, Init> = {
  readonly name: string;
  readonly encode: (message: Init) => Buffer;
  readonly decode: (bytes: Uint8Array) => Message;
};
`;

function isAbsentable(field: protobuf.Field): boolean {
  if (field.map || field.repeated) return false;
  return isOptional(field) || scalarOf(field) === undefined;
}

function valueType(field: protobuf.Field, suffix: '' | 'Init'): string {
  if (field.map) return 'Readonly<Record<string, string>>';
  const type = scalarOf(field)?.type ?? field.resolvedType!.name + suffix;
  return field.repeated ? `readonly ${type}[]` : type;
}

function comment(text: string | null, indent: string): string[] {
  return text === null || text === undefined
    ? []
    : [`${indent}/** ${text.replaceAll('\n', `\n${indent} * `)} */`];
}
