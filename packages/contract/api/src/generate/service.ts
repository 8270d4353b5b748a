import protobuf from 'protobufjs';
import { lowerFirst } from './schema.ts';

/** JavaScript with one service: its methods for client and server, and what each requires of its caller. */
export function serviceSource(service: protobuf.Service): string {
  return [
    `export const ${service.name} = {`,
    ...service.methodsArray.map((method) => {
      const { requestStream, responseStream } = streamsOf(method);
      return `  ${lowerFirst(method.name)}: method('${pathOf(method)}', ${requestStream}, ${responseStream}, ${method.requestType}, ${method.responseType}),`;
    }),
    `};`,
    ``,
  ].join('\n');
}

export const servicePrelude = `const method = (path, requestStream, responseStream, request, response) => ({
  path,
  requestStream,
  responseStream,
  requestSerialize: request.encode,
  requestDeserialize: request.decode,
  responseSerialize: response.encode,
  responseDeserialize: response.decode,
});
`;

/** JavaScript with what the options of every method say about its caller. */
export function requirementsSource(services: readonly protobuf.Service[]): string {
  return [
    `export const requirements = {`,
    ...services
      .flatMap((service) => service.methodsArray)
      .map((method) => {
        const options: { readonly [name: string]: unknown }[] = method.parsedOptions ?? [];
        const roles = options.flatMap((option) => option['(roles)'] ?? []);
        const maintenance = options.some((option) => option['(maintenance)'] === true);
        return `  '${pathOf(method)}': ${JSON.stringify({ roles, maintenance })},`;
      }),
    `};`,
    ``,
  ].join('\n');
}

/** The import that the declarations of these services need. */
export function serviceImports(services: readonly protobuf.Service[]): string {
  const names = new Set(services.flatMap((service) => service.methodsArray.map(handlerOf)));
  return `import type { ${[...names].toSorted().join(', ')} } from '@grpc/grpc-js';\n`;
}

/** TypeScript declarations of the same. */
export function serviceTypes(service: protobuf.Service): string {
  const lines = service.methodsArray.map((method) => {
    const { requestStream, responseStream } = streamsOf(method);
    const { requestType: request, responseType: response } = method;
    return {
      definition: `  readonly ${lowerFirst(method.name)}: Method<${request}, ${request}Init, ${response}, ${response}Init, ${responseStream}, ${requestStream}>;`,
      handler: `  readonly ${lowerFirst(method.name)}: ${handlerOf(method)}<${request}, ${response}Init>;`,
    };
  });
  return [
    `export declare const ${service.name}: {`,
    ...lines.map((line) => line.definition),
    `};`,
    ``,
    `/** What a server of ${service.name} implements. */`,
    `export type ${service.name}Handlers = {`,
    ...lines.map((line) => line.handler),
    `};`,
    ``,
  ].join('\n');
}

export const serviceTypesPrelude = `/** A method as grpc-js wants it, for client and server. */
export type Method<Request, RequestInit, Response, ResponseInit, Stream extends boolean, RequestStream extends boolean = false> = {
  readonly path: string;
  readonly requestStream: RequestStream;
  readonly responseStream: Stream;
  readonly requestSerialize: (message: RequestInit) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (message: ResponseInit) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
};
`;

/** TypeScript declaration of what {@link requirementsSource} writes. */
export const requirementsTypes = `/** What the .proto says about the callers of every method, by path. */
export declare const requirements: {
  readonly [path: string]: { readonly roles: readonly string[]; readonly maintenance: boolean };
};
`;

function streamsOf(method: protobuf.Method): {
  readonly requestStream: boolean;
  readonly responseStream: boolean;
} {
  const requestStream = method.requestStream === true;
  const responseStream = method.responseStream === true;
  return { requestStream, responseStream };
}

function handlerOf(method: protobuf.Method): string {
  const { requestStream, responseStream } = streamsOf(method);
  if (requestStream && responseStream) return 'handleBidiStreamingCall';
  if (requestStream) return 'handleClientStreamingCall';
  return responseStream ? 'handleServerStreamingCall' : 'handleUnaryCall';
}

function pathOf(method: protobuf.Method): string {
  return `/${method.parent!.fullName.slice(1)}/${method.name}`;
}
