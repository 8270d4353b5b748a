// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
import type { handleBidiStreamingCall, handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';

/** Encodes and decodes one message. Decoded bytes are views of the input. */
export type Codec<Message, Init> = {
  readonly name: string;
  readonly encode: (message: Init) => Buffer;
  readonly decode: (bytes: Uint8Array) => Message;
};

export type PingRequest = {
};

/** {@link PingRequest} with defaults for what is left out. */
export type PingRequestInit = {
};

export declare const PingRequest: Codec<PingRequest, PingRequestInit>;

export type PingResponse = {
  readonly serverVersion: string;
  /** amd64 */
  readonly hostArch: string;
};

/** {@link PingResponse} with defaults for what is left out. */
export type PingResponseInit = {
  readonly serverVersion?: string | undefined;
  readonly hostArch?: string | undefined;
};

export declare const PingResponse: Codec<PingResponse, PingResponseInit>;

export type StatArtifactRequest = {
  /** 64 hexadecimal digits, in small letters */
  readonly sha256: string;
};

/** {@link StatArtifactRequest} with defaults for what is left out. */
export type StatArtifactRequestInit = {
  readonly sha256?: string | undefined;
};

export declare const StatArtifactRequest: Codec<StatArtifactRequest, StatArtifactRequestInit>;

export type StatArtifactResponse = {
  readonly exists: boolean;
};

/** {@link StatArtifactResponse} with defaults for what is left out. */
export type StatArtifactResponseInit = {
  readonly exists?: boolean | undefined;
};

export declare const StatArtifactResponse: Codec<StatArtifactResponse, StatArtifactResponseInit>;

export type UploadArtifactRequest = {
  /** in the first message, which has nothing else */
  readonly sha256: string;
  /** at most 1 MiB */
  readonly data: Uint8Array;
};

/** {@link UploadArtifactRequest} with defaults for what is left out. */
export type UploadArtifactRequestInit = {
  readonly sha256?: string | undefined;
  readonly data?: Uint8Array | undefined;
};

export declare const UploadArtifactRequest: Codec<UploadArtifactRequest, UploadArtifactRequestInit>;

export type UploadArtifactResponse = {
};

/** {@link UploadArtifactResponse} with defaults for what is left out. */
export type UploadArtifactResponseInit = {
};

export declare const UploadArtifactResponse: Codec<UploadArtifactResponse, UploadArtifactResponseInit>;

export type RunRequest = {
  /** behind `osctl cluster`: create, vm */
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  readonly flags: readonly RunFlag[];
};

/** {@link RunRequest} with defaults for what is left out. */
export type RunRequestInit = {
  readonly words?: readonly string[] | undefined;
  readonly arguments?: readonly string[] | undefined;
  readonly flags?: readonly RunFlagInit[] | undefined;
};

export declare const RunRequest: Codec<RunRequest, RunRequestInit>;

export type RunFlag = {
  /** without dashes */
  readonly name: string;
  readonly value: string;
  /** it has no value */
  readonly bare: boolean;
};

/** {@link RunFlag} with defaults for what is left out. */
export type RunFlagInit = {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly bare?: boolean | undefined;
};

export declare const RunFlag: Codec<RunFlag, RunFlagInit>;

export type RunResponse = {
  readonly out: Uint8Array;
  readonly error: Uint8Array;
  /** of the logs of a cluster that was destroyed */
  readonly archive: Uint8Array;
  readonly end?: RunEnd;
  /** of what its nodes knew of themselves, before */
  readonly support: Uint8Array;
};

/** {@link RunResponse} with defaults for what is left out. */
export type RunResponseInit = {
  readonly out?: Uint8Array | undefined;
  readonly error?: Uint8Array | undefined;
  readonly archive?: Uint8Array | undefined;
  readonly end?: RunEndInit | undefined;
  readonly support?: Uint8Array | undefined;
};

export declare const RunResponse: Codec<RunResponse, RunResponseInit>;

export type RunEnd = {
  readonly exitCode: number;
  /** of a cluster that was made */
  readonly clientConfig: Uint8Array;
  /** SHA-256 of the certificates of a cluster that was destroyed */
  readonly authorities: readonly string[];
};

/** {@link RunEnd} with defaults for what is left out. */
export type RunEndInit = {
  readonly exitCode?: number | undefined;
  readonly clientConfig?: Uint8Array | undefined;
  readonly authorities?: readonly string[] | undefined;
};

export declare const RunEnd: Codec<RunEnd, RunEndInit>;

export type DoorRequest = {
  /** in the first message, with the machine */
  readonly cluster: string;
  readonly machine: string;
  /** at most 1 MiB */
  readonly data: Uint8Array;
};

/** {@link DoorRequest} with defaults for what is left out. */
export type DoorRequestInit = {
  readonly cluster?: string | undefined;
  readonly machine?: string | undefined;
  readonly data?: Uint8Array | undefined;
};

export declare const DoorRequest: Codec<DoorRequest, DoorRequestInit>;

export type DoorResponse = {
  readonly data: Uint8Array;
};

/** {@link DoorResponse} with defaults for what is left out. */
export type DoorResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const DoorResponse: Codec<DoorResponse, DoorResponseInit>;

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

export declare const RemoteProvision: {
  readonly ping: Method<PingRequest, PingRequestInit, PingResponse, PingResponseInit, false, false>;
  readonly statArtifact: Method<StatArtifactRequest, StatArtifactRequestInit, StatArtifactResponse, StatArtifactResponseInit, false, false>;
  readonly uploadArtifact: Method<UploadArtifactRequest, UploadArtifactRequestInit, UploadArtifactResponse, UploadArtifactResponseInit, false, true>;
  readonly run: Method<RunRequest, RunRequestInit, RunResponse, RunResponseInit, true, false>;
  readonly door: Method<DoorRequest, DoorRequestInit, DoorResponse, DoorResponseInit, true, true>;
};

/** What a server of RemoteProvision implements. */
export type RemoteProvisionHandlers = {
  readonly ping: handleUnaryCall<PingRequest, PingResponseInit>;
  readonly statArtifact: handleUnaryCall<StatArtifactRequest, StatArtifactResponseInit>;
  readonly uploadArtifact: handleClientStreamingCall<UploadArtifactRequest, UploadArtifactResponseInit>;
  readonly run: handleServerStreamingCall<RunRequest, RunResponseInit>;
  readonly door: handleBidiStreamingCall<DoorRequest, DoorResponseInit>;
};
