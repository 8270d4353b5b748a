import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';

/** Messages are passed on as they are. */
function bytes(value: Buffer): Buffer {
  return value;
}

/** Whether a method has one message or many is the same on the wire: streams serve for all. */
const streams: Omit<MethodDefinition<Buffer, Buffer>, 'path'> = {
  requestStream: true,
  responseStream: true,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
};

/** A service of methods whose messages nobody reads, by their paths. */
export function opaqueMethods(paths: readonly string[]): ServiceDefinition {
  return Object.fromEntries(paths.map((path) => [path, { path, ...streams }]));
}
