import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

/** The services, messages and enums of one proto package, in the order of their files. */
export type Schema = {
  readonly services: readonly protobuf.Service[];
  readonly messages: readonly protobuf.Type[];
  readonly enums: readonly protobuf.Enum[];
};

const googleDirectory = fileURLToPath(new URL('.', import.meta.resolve('protobufjs/package.json')));

const ownProtos = new URL('../../proto/', import.meta.url);

/** Reads .proto files, named relative to the directory; that of this package by default. */
export function readSchema(
  packageName: string,
  files: readonly string[],
  directory: URL = ownProtos,
): Schema {
  const protoDirectory = fileURLToPath(directory);
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => {
    if (target.startsWith('/')) return target;
    return (target.startsWith('google/') ? googleDirectory : protoDirectory) + target;
  };
  root.loadSync([...files], { alternateCommentMode: true });
  root.resolveAll();
  const { nestedArray } = root.lookup(packageName) as protobuf.Namespace;
  return {
    services: nestedArray.filter((entry) => entry instanceof protobuf.Service),
    messages: nestedArray.filter((entry) => entry instanceof protobuf.Type),
    enums: nestedArray.filter((entry) => entry instanceof protobuf.Enum),
  };
}

/** Whether the node API serves it: a service with the option `elsewhere` is one that nodes call. */
export function isServed(service: protobuf.Service): boolean {
  return service.options?.['(elsewhere)'] !== true;
}

/** `optional` in proto3: absent is not the same as zero. */
export function isOptional(field: protobuf.Field): boolean {
  return field.options?.['proto3_optional'] === true;
}

/** `ERRORED` of `EVENT_TYPE_ERRORED`: the prefix is for languages whose enum values share one scope. */
export function enumValueName(owner: protobuf.Enum, value: string): string {
  const prefix = `${owner.name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_`;
  if (!value.startsWith(prefix)) throw new Error(`${owner.fullName}.${value}: does not start with ${prefix}`);
  return value.slice(prefix.length);
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
