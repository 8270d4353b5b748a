// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
import type { handleUnaryCall } from '@grpc/grpc-js';

/** Encodes and decodes one message. Decoded bytes are views of the input. */
export type Codec<Message, Init> = {
  readonly name: string;
  readonly encode: (message: Init) => Buffer;
  readonly decode: (bytes: Uint8Array) => Message;
};

export type Request = {
  /** of the SMBIOS, as text */
  readonly nodeUuid: string;
  /** Seal: the key, 32 bytes. Unseal: what Seal answered */
  readonly data: Uint8Array;
  /** what the key is for; empty: not said, and then not part of what is sealed */
  readonly volume: string;
};

/** {@link Request} with defaults for what is left out. */
export type RequestInit = {
  readonly nodeUuid?: string | undefined;
  readonly data?: Uint8Array | undefined;
  readonly volume?: string | undefined;
};

export declare const Request: Codec<Request, RequestInit>;

export type Response = {
  /** Seal: for the caller to store. Unseal: the key */
  readonly data: Uint8Array;
};

/** {@link Response} with defaults for what is left out. */
export type ResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const Response: Codec<Response, ResponseInit>;

/** A method as grpc-js wants it, for client and server. */
export type Method<Request, RequestInit, Response, ResponseInit, Stream extends boolean, RequestStream extends boolean = false> = {
  readonly path: string;
  readonly requestStream: RequestStream;
  readonly responseStream: Stream;
  readonly requestSerialize: (message: RequestInit) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (message: ResponseInit) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
};

export declare const KMSService: {
  readonly seal: Method<Request, RequestInit, Response, ResponseInit, false, false>;
  readonly unseal: Method<Request, RequestInit, Response, ResponseInit, false, false>;
};

/** What a server of KMSService implements. */
export type KMSServiceHandlers = {
  readonly seal: handleUnaryCall<Request, ResponseInit>;
  readonly unseal: handleUnaryCall<Request, ResponseInit>;
};
