import type { ServiceDefinition } from '@grpc/grpc-js';

/** What a request is read as that is none: gRPC itself would call it an internal error. */
export class Malformed {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The service, whose requests are {@link Malformed} in place of an error. Its handlers must ask. */
export function withMalformed<Service extends ServiceDefinition>(service: Service): Service {
  const methods = Object.entries(service).map(([name, method]) => {
    const requestDeserialize = (bytes: Buffer): unknown => {
      try {
        return method.requestDeserialize(bytes);
      } catch {
        return new Malformed(`the bytes are no request of ${method.path}`);
      }
    };
    return [name, { ...method, requestDeserialize }] as const;
  });
  return Object.fromEntries(methods) as unknown as Service;
}
