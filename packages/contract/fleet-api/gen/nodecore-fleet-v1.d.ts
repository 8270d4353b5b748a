// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
import type { handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';

/** Encodes and decodes one message. Decoded bytes are views of the input. */
export type Codec<Message, Init> = {
  readonly name: string;
  readonly encode: (message: Init) => Buffer;
  readonly decode: (bytes: Uint8Array) => Message;
};

export declare const EventType: {
  readonly UNSPECIFIED: 0;
  readonly CREATED: 1;
  readonly UPDATED: 2;
  /** `resource` is its last state */
  readonly DESTROYED: 3;
  /** no resource: everything that existed has been sent */
  readonly BOOTSTRAPPED: 4;
  /** no resource: the watcher was too slow, events are lost and the stream ends here */
  readonly ERRORED: 5;
};
export type EventType = (typeof EventType)[keyof typeof EventType];

export declare const Phase: {
  /** as RUNNING */
  readonly UNSPECIFIED: 0;
  readonly RUNNING: 1;
  readonly TEARING_DOWN: 2;
};
export type Phase = (typeof Phase)[keyof typeof Phase];

export type RegisterPublicKeyRequest = {
  /** OpenPGP, armored */
  readonly publicKey: string;
  /** e-mail address */
  readonly identity: string;
  /** the most that calls with this key may do; empty: what the user may */
  readonly role: string;
};

/** {@link RegisterPublicKeyRequest} with defaults for what is left out. */
export type RegisterPublicKeyRequestInit = {
  readonly publicKey?: string | undefined;
  readonly identity?: string | undefined;
  readonly role?: string | undefined;
};

export declare const RegisterPublicKeyRequest: Codec<RegisterPublicKeyRequest, RegisterPublicKeyRequestInit>;

export type RegisterPublicKeyResponse = {
  /** where a person confirms it */
  readonly loginUrl: string;
  /** fingerprint, hexadecimal in lower case */
  readonly keyId: string;
};

/** {@link RegisterPublicKeyResponse} with defaults for what is left out. */
export type RegisterPublicKeyResponseInit = {
  readonly loginUrl?: string | undefined;
  readonly keyId?: string | undefined;
};

export declare const RegisterPublicKeyResponse: Codec<RegisterPublicKeyResponse, RegisterPublicKeyResponseInit>;

export type AwaitPublicKeyConfirmationRequest = {
  readonly keyId: string;
};

/** {@link AwaitPublicKeyConfirmationRequest} with defaults for what is left out. */
export type AwaitPublicKeyConfirmationRequestInit = {
  readonly keyId?: string | undefined;
};

export declare const AwaitPublicKeyConfirmationRequest: Codec<AwaitPublicKeyConfirmationRequest, AwaitPublicKeyConfirmationRequestInit>;

export type AwaitPublicKeyConfirmationResponse = {
};

/** {@link AwaitPublicKeyConfirmationResponse} with defaults for what is left out. */
export type AwaitPublicKeyConfirmationResponseInit = {
};

export declare const AwaitPublicKeyConfirmationResponse: Codec<AwaitPublicKeyConfirmationResponse, AwaitPublicKeyConfirmationResponseInit>;

export type ConfirmPublicKeyRequest = {
  readonly keyId: string;
  readonly code: string;
};

/** {@link ConfirmPublicKeyRequest} with defaults for what is left out. */
export type ConfirmPublicKeyRequestInit = {
  readonly keyId?: string | undefined;
  readonly code?: string | undefined;
};

export declare const ConfirmPublicKeyRequest: Codec<ConfirmPublicKeyRequest, ConfirmPublicKeyRequestInit>;

export type ConfirmPublicKeyResponse = {
};

/** {@link ConfirmPublicKeyResponse} with defaults for what is left out. */
export type ConfirmPublicKeyResponseInit = {
};

export declare const ConfirmPublicKeyResponse: Codec<ConfirmPublicKeyResponse, ConfirmPublicKeyResponseInit>;

export type RevokePublicKeyRequest = {
  readonly keyId: string;
};

/** {@link RevokePublicKeyRequest} with defaults for what is left out. */
export type RevokePublicKeyRequestInit = {
  readonly keyId?: string | undefined;
};

export declare const RevokePublicKeyRequest: Codec<RevokePublicKeyRequest, RevokePublicKeyRequestInit>;

export type RevokePublicKeyResponse = {
};

/** {@link RevokePublicKeyResponse} with defaults for what is left out. */
export type RevokePublicKeyResponseInit = {
};

export declare const RevokePublicKeyResponse: Codec<RevokePublicKeyResponse, RevokePublicKeyResponseInit>;

export type CreateWebLoginRequest = {
};

/** {@link CreateWebLoginRequest} with defaults for what is left out. */
export type CreateWebLoginRequestInit = {
};

export declare const CreateWebLoginRequest: Codec<CreateWebLoginRequest, CreateWebLoginRequestInit>;

export type CreateWebLoginResponse = {
  /** its fragment is a secret */
  readonly url: string;
};

/** {@link CreateWebLoginResponse} with defaults for what is left out. */
export type CreateWebLoginResponseInit = {
  readonly url?: string | undefined;
};

export declare const CreateWebLoginResponse: Codec<CreateWebLoginResponse, CreateWebLoginResponseInit>;

export type MachineLogsRequest = {
  readonly machineId: string;
  readonly follow: boolean;
  /** absent or negative: all that is kept */
  readonly tailLines?: number;
};

/** {@link MachineLogsRequest} with defaults for what is left out. */
export type MachineLogsRequestInit = {
  readonly machineId?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly tailLines?: number | undefined;
};

export declare const MachineLogsRequest: Codec<MachineLogsRequest, MachineLogsRequestInit>;

export type MachineLogsResponse = {
  readonly data: Uint8Array;
};

/** {@link MachineLogsResponse} with defaults for what is left out. */
export type MachineLogsResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const MachineLogsResponse: Codec<MachineLogsResponse, MachineLogsResponseInit>;

export type SecurityReportRequest = {
  /** 64 hexadecimal digits */
  readonly schematic: string;
  /** v1.14.0 */
  readonly osVersion: string;
  /** amd64 */
  readonly architecture: string;
  /** scan.json, scan.sarif, scan.cdx, upgrades.json, spdx.json or vex.json */
  readonly report: string;
};

/** {@link SecurityReportRequest} with defaults for what is left out. */
export type SecurityReportRequestInit = {
  readonly schematic?: string | undefined;
  readonly osVersion?: string | undefined;
  readonly architecture?: string | undefined;
  readonly report?: string | undefined;
};

export declare const SecurityReportRequest: Codec<SecurityReportRequest, SecurityReportRequestInit>;

export type SecurityReportResponse = {
  /** the document, in pieces */
  readonly data: Uint8Array;
};

/** {@link SecurityReportResponse} with defaults for what is left out. */
export type SecurityReportResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const SecurityReportResponse: Codec<SecurityReportResponse, SecurityReportResponseInit>;

export type CreateJoinTokenRequest = {
  /** 1 to 16 characters */
  readonly name: string;
  /** 0: for ever */
  readonly lifetimeMillis: bigint;
};

/** {@link CreateJoinTokenRequest} with defaults for what is left out. */
export type CreateJoinTokenRequestInit = {
  readonly name?: string | undefined;
  readonly lifetimeMillis?: bigint | undefined;
};

export declare const CreateJoinTokenRequest: Codec<CreateJoinTokenRequest, CreateJoinTokenRequestInit>;

export type CreateJoinTokenResponse = {
  /** the token itself */
  readonly id: string;
  readonly joinUrl: string;
};

/** {@link CreateJoinTokenResponse} with defaults for what is left out. */
export type CreateJoinTokenResponseInit = {
  readonly id?: string | undefined;
  readonly joinUrl?: string | undefined;
};

export declare const CreateJoinTokenResponse: Codec<CreateJoinTokenResponse, CreateJoinTokenResponseInit>;

export type RevokeJoinTokenRequest = {
  readonly id: string;
};

/** {@link RevokeJoinTokenRequest} with defaults for what is left out. */
export type RevokeJoinTokenRequestInit = {
  readonly id?: string | undefined;
};

export declare const RevokeJoinTokenRequest: Codec<RevokeJoinTokenRequest, RevokeJoinTokenRequestInit>;

export type RevokeJoinTokenResponse = {
};

/** {@link RevokeJoinTokenResponse} with defaults for what is left out. */
export type RevokeJoinTokenResponseInit = {
};

export declare const RevokeJoinTokenResponse: Codec<RevokeJoinTokenResponse, RevokeJoinTokenResponseInit>;

export type GetMachineJoinConfigRequest = {
  /** empty: the default token */
  readonly tokenId: string;
};

/** {@link GetMachineJoinConfigRequest} with defaults for what is left out. */
export type GetMachineJoinConfigRequestInit = {
  readonly tokenId?: string | undefined;
};

export declare const GetMachineJoinConfigRequest: Codec<GetMachineJoinConfigRequest, GetMachineJoinConfigRequestInit>;

export type GetMachineJoinConfigResponse = {
  readonly joinUrl: string;
  /** a document for the embedded configuration, YAML */
  readonly config: string;
  /** for developers: command lines are read by everybody */
  readonly kernelArgs: readonly string[];
};

/** {@link GetMachineJoinConfigResponse} with defaults for what is left out. */
export type GetMachineJoinConfigResponseInit = {
  readonly joinUrl?: string | undefined;
  readonly config?: string | undefined;
  readonly kernelArgs?: readonly string[] | undefined;
};

export declare const GetMachineJoinConfigResponse: Codec<GetMachineJoinConfigResponse, GetMachineJoinConfigResponseInit>;

export type CreateServiceAccountRequest = {
  /** a DNS label */
  readonly name: string;
  /** empty: that of the caller */
  readonly role: string;
  /** OpenPGP, armored */
  readonly publicKey: string;
};

/** {@link CreateServiceAccountRequest} with defaults for what is left out. */
export type CreateServiceAccountRequestInit = {
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly publicKey?: string | undefined;
};

export declare const CreateServiceAccountRequest: Codec<CreateServiceAccountRequest, CreateServiceAccountRequestInit>;

export type CreateServiceAccountResponse = {
  readonly identity: string;
  readonly keyId: string;
  /** since the epoch */
  readonly expiresMillis: bigint;
};

/** {@link CreateServiceAccountResponse} with defaults for what is left out. */
export type CreateServiceAccountResponseInit = {
  readonly identity?: string | undefined;
  readonly keyId?: string | undefined;
  readonly expiresMillis?: bigint | undefined;
};

export declare const CreateServiceAccountResponse: Codec<CreateServiceAccountResponse, CreateServiceAccountResponseInit>;

export type DestroyServiceAccountRequest = {
  readonly name: string;
};

/** {@link DestroyServiceAccountRequest} with defaults for what is left out. */
export type DestroyServiceAccountRequestInit = {
  readonly name?: string | undefined;
};

export declare const DestroyServiceAccountRequest: Codec<DestroyServiceAccountRequest, DestroyServiceAccountRequestInit>;

export type DestroyServiceAccountResponse = {
};

/** {@link DestroyServiceAccountResponse} with defaults for what is left out. */
export type DestroyServiceAccountResponseInit = {
};

export declare const DestroyServiceAccountResponse: Codec<DestroyServiceAccountResponse, DestroyServiceAccountResponseInit>;

export type WhoAmIRequest = {
};

/** {@link WhoAmIRequest} with defaults for what is left out. */
export type WhoAmIRequestInit = {
};

export declare const WhoAmIRequest: Codec<WhoAmIRequest, WhoAmIRequestInit>;

export type WhoAmIResponse = {
  readonly identity: string;
  readonly role: string;
  readonly keyId: string;
};

/** {@link WhoAmIResponse} with defaults for what is left out. */
export type WhoAmIResponseInit = {
  readonly identity?: string | undefined;
  readonly role?: string | undefined;
  readonly keyId?: string | undefined;
};

export declare const WhoAmIResponse: Codec<WhoAmIResponse, WhoAmIResponseInit>;

export type GetRequest = {
  /** empty: the default namespace of the type */
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
};

/** {@link GetRequest} with defaults for what is left out. */
export type GetRequestInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly id?: string | undefined;
};

export declare const GetRequest: Codec<GetRequest, GetRequestInit>;

export type GetResponse = {
  readonly resource?: Resource;
  readonly bookmark?: Bookmark;
};

/** {@link GetResponse} with defaults for what is left out. */
export type GetResponseInit = {
  readonly resource?: ResourceInit | undefined;
  readonly bookmark?: BookmarkInit | undefined;
};

export declare const GetResponse: Codec<GetResponse, GetResponseInit>;

/** A condition on one label, `key=value`. Without values: the label is there. */
export type LabelTerm = {
  readonly label: string;
  /** any of these */
  readonly values: readonly string[];
  readonly not: boolean;
};

/** {@link LabelTerm} with defaults for what is left out. */
export type LabelTermInit = {
  readonly label?: string | undefined;
  readonly values?: readonly string[] | undefined;
  readonly not?: boolean | undefined;
};

export declare const LabelTerm: Codec<LabelTerm, LabelTermInit>;

export type ListRequest = {
  /** empty: the default namespace of the type */
  readonly namespace: string;
  readonly type: string;
  /** all of these */
  readonly labels: readonly LabelTerm[];
};

/** {@link ListRequest} with defaults for what is left out. */
export type ListRequestInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly labels?: readonly LabelTermInit[] | undefined;
};

export declare const ListRequest: Codec<ListRequest, ListRequestInit>;

export type ListResponse = {
  readonly resources: readonly Resource[];
  /** only in the last message */
  readonly bookmark?: Bookmark;
};

/** {@link ListResponse} with defaults for what is left out. */
export type ListResponseInit = {
  readonly resources?: readonly ResourceInit[] | undefined;
  readonly bookmark?: BookmarkInit | undefined;
};

export declare const ListResponse: Codec<ListResponse, ListResponseInit>;

export type WatchRequest = {
  /** empty: the default namespace of the type */
  readonly namespace: string;
  readonly type: string;
  /** empty: all */
  readonly id: string;
  /** Absent: first what exists now, as CREATED, then BOOTSTRAPPED, then changes.
   * Present: the changes after it; no BOOTSTRAPPED. */
  readonly bookmark?: Bookmark;
  /** all of these */
  readonly labels: readonly LabelTerm[];
};

/** {@link WatchRequest} with defaults for what is left out. */
export type WatchRequestInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly id?: string | undefined;
  readonly bookmark?: BookmarkInit | undefined;
  readonly labels?: readonly LabelTermInit[] | undefined;
};

export declare const WatchRequest: Codec<WatchRequest, WatchRequestInit>;

export type WatchResponse = {
  readonly events: readonly Event[];
};

/** {@link WatchResponse} with defaults for what is left out. */
export type WatchResponseInit = {
  readonly events?: readonly EventInit[] | undefined;
};

export declare const WatchResponse: Codec<WatchResponse, WatchResponseInit>;

export type CreateRequest = {
  /** of its metadata: namespace, type, id, labels, annotations */
  readonly resource?: Resource;
};

/** {@link CreateRequest} with defaults for what is left out. */
export type CreateRequestInit = {
  readonly resource?: ResourceInit | undefined;
};

export declare const CreateRequest: Codec<CreateRequest, CreateRequestInit>;

export type CreateResponse = {
  readonly resource?: Resource;
};

/** {@link CreateResponse} with defaults for what is left out. */
export type CreateResponseInit = {
  readonly resource?: ResourceInit | undefined;
};

export declare const CreateResponse: Codec<CreateResponse, CreateResponseInit>;

export type UpdateRequest = {
  /** of its metadata: namespace, type, id, version, labels, annotations */
  readonly resource?: Resource;
};

/** {@link UpdateRequest} with defaults for what is left out. */
export type UpdateRequestInit = {
  readonly resource?: ResourceInit | undefined;
};

export declare const UpdateRequest: Codec<UpdateRequest, UpdateRequestInit>;

export type UpdateResponse = {
  readonly resource?: Resource;
};

/** {@link UpdateResponse} with defaults for what is left out. */
export type UpdateResponseInit = {
  readonly resource?: ResourceInit | undefined;
};

export declare const UpdateResponse: Codec<UpdateResponse, UpdateResponseInit>;

export type TeardownRequest = {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
};

/** {@link TeardownRequest} with defaults for what is left out. */
export type TeardownRequestInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly id?: string | undefined;
};

export declare const TeardownRequest: Codec<TeardownRequest, TeardownRequestInit>;

export type TeardownResponse = {
  /** nobody holds it: it can be destroyed */
  readonly ready: boolean;
  /** who does */
  readonly finalizers: readonly string[];
};

/** {@link TeardownResponse} with defaults for what is left out. */
export type TeardownResponseInit = {
  readonly ready?: boolean | undefined;
  readonly finalizers?: readonly string[] | undefined;
};

export declare const TeardownResponse: Codec<TeardownResponse, TeardownResponseInit>;

export type DestroyRequest = {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
};

/** {@link DestroyRequest} with defaults for what is left out. */
export type DestroyRequestInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly id?: string | undefined;
};

export declare const DestroyRequest: Codec<DestroyRequest, DestroyRequestInit>;

export type DestroyResponse = {
};

/** {@link DestroyResponse} with defaults for what is left out. */
export type DestroyResponseInit = {
};

export declare const DestroyResponse: Codec<DestroyResponse, DestroyResponseInit>;

export type Event = {
  readonly type: EventType;
  readonly resource?: Resource;
  /** resume after this event */
  readonly bookmark?: Bookmark;
  /** of ERRORED */
  readonly error: string;
};

/** {@link Event} with defaults for what is left out. */
export type EventInit = {
  readonly type?: EventType | undefined;
  readonly resource?: ResourceInit | undefined;
  readonly bookmark?: BookmarkInit | undefined;
  readonly error?: string | undefined;
};

export declare const Event: Codec<Event, EventInit>;

/** A place in the history of all resources. */
export type Bookmark = {
  /** changes when the fleet manager starts anew */
  readonly epoch: string;
  /** +1 with every change of any resource */
  readonly revision: bigint;
};

/** {@link Bookmark} with defaults for what is left out. */
export type BookmarkInit = {
  readonly epoch?: string | undefined;
  readonly revision?: bigint | undefined;
};

export declare const Bookmark: Codec<Bookmark, BookmarkInit>;

export type Resource = {
  readonly metadata?: Metadata;
  /** JSON in UTF-8 */
  readonly spec: Uint8Array;
};

/** {@link Resource} with defaults for what is left out. */
export type ResourceInit = {
  readonly metadata?: MetadataInit | undefined;
  readonly spec?: Uint8Array | undefined;
};

export declare const Resource: Codec<Resource, ResourceInit>;

export type Metadata = {
  readonly namespace: string;
  /** 'Machines.fleet.nodecore.dev' */
  readonly type: string;
  readonly id: string;
  /** 1 when created, +1 with every change */
  readonly version: bigint;
  /** the controller that writes it; empty: nobody */
  readonly owner: string;
  readonly phase: Phase;
  /** since the epoch */
  readonly createdMillis: bigint;
  readonly updatedMillis: bigint;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
};

/** {@link Metadata} with defaults for what is left out. */
export type MetadataInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly id?: string | undefined;
  readonly version?: bigint | undefined;
  readonly owner?: string | undefined;
  readonly phase?: Phase | undefined;
  readonly createdMillis?: bigint | undefined;
  readonly updatedMillis?: bigint | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
};

export declare const Metadata: Codec<Metadata, MetadataInit>;

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

export declare const AuthService: {
  readonly registerPublicKey: Method<RegisterPublicKeyRequest, RegisterPublicKeyRequestInit, RegisterPublicKeyResponse, RegisterPublicKeyResponseInit, false, false>;
  readonly awaitPublicKeyConfirmation: Method<AwaitPublicKeyConfirmationRequest, AwaitPublicKeyConfirmationRequestInit, AwaitPublicKeyConfirmationResponse, AwaitPublicKeyConfirmationResponseInit, false, false>;
  readonly confirmPublicKey: Method<ConfirmPublicKeyRequest, ConfirmPublicKeyRequestInit, ConfirmPublicKeyResponse, ConfirmPublicKeyResponseInit, false, false>;
  readonly createWebLogin: Method<CreateWebLoginRequest, CreateWebLoginRequestInit, CreateWebLoginResponse, CreateWebLoginResponseInit, false, false>;
  readonly revokePublicKey: Method<RevokePublicKeyRequest, RevokePublicKeyRequestInit, RevokePublicKeyResponse, RevokePublicKeyResponseInit, false, false>;
};

/** What a server of AuthService implements. */
export type AuthServiceHandlers = {
  readonly registerPublicKey: handleUnaryCall<RegisterPublicKeyRequest, RegisterPublicKeyResponseInit>;
  readonly awaitPublicKeyConfirmation: handleUnaryCall<AwaitPublicKeyConfirmationRequest, AwaitPublicKeyConfirmationResponseInit>;
  readonly confirmPublicKey: handleUnaryCall<ConfirmPublicKeyRequest, ConfirmPublicKeyResponseInit>;
  readonly createWebLogin: handleUnaryCall<CreateWebLoginRequest, CreateWebLoginResponseInit>;
  readonly revokePublicKey: handleUnaryCall<RevokePublicKeyRequest, RevokePublicKeyResponseInit>;
};

export declare const ManagementService: {
  readonly machineLogs: Method<MachineLogsRequest, MachineLogsRequestInit, MachineLogsResponse, MachineLogsResponseInit, true, false>;
  readonly createJoinToken: Method<CreateJoinTokenRequest, CreateJoinTokenRequestInit, CreateJoinTokenResponse, CreateJoinTokenResponseInit, false, false>;
  readonly revokeJoinToken: Method<RevokeJoinTokenRequest, RevokeJoinTokenRequestInit, RevokeJoinTokenResponse, RevokeJoinTokenResponseInit, false, false>;
  readonly getMachineJoinConfig: Method<GetMachineJoinConfigRequest, GetMachineJoinConfigRequestInit, GetMachineJoinConfigResponse, GetMachineJoinConfigResponseInit, false, false>;
  readonly createServiceAccount: Method<CreateServiceAccountRequest, CreateServiceAccountRequestInit, CreateServiceAccountResponse, CreateServiceAccountResponseInit, false, false>;
  readonly destroyServiceAccount: Method<DestroyServiceAccountRequest, DestroyServiceAccountRequestInit, DestroyServiceAccountResponse, DestroyServiceAccountResponseInit, false, false>;
  readonly securityReport: Method<SecurityReportRequest, SecurityReportRequestInit, SecurityReportResponse, SecurityReportResponseInit, true, false>;
  readonly whoAmI: Method<WhoAmIRequest, WhoAmIRequestInit, WhoAmIResponse, WhoAmIResponseInit, false, false>;
};

/** What a server of ManagementService implements. */
export type ManagementServiceHandlers = {
  readonly machineLogs: handleServerStreamingCall<MachineLogsRequest, MachineLogsResponseInit>;
  readonly createJoinToken: handleUnaryCall<CreateJoinTokenRequest, CreateJoinTokenResponseInit>;
  readonly revokeJoinToken: handleUnaryCall<RevokeJoinTokenRequest, RevokeJoinTokenResponseInit>;
  readonly getMachineJoinConfig: handleUnaryCall<GetMachineJoinConfigRequest, GetMachineJoinConfigResponseInit>;
  readonly createServiceAccount: handleUnaryCall<CreateServiceAccountRequest, CreateServiceAccountResponseInit>;
  readonly destroyServiceAccount: handleUnaryCall<DestroyServiceAccountRequest, DestroyServiceAccountResponseInit>;
  readonly securityReport: handleServerStreamingCall<SecurityReportRequest, SecurityReportResponseInit>;
  readonly whoAmI: handleUnaryCall<WhoAmIRequest, WhoAmIResponseInit>;
};

export declare const StateService: {
  readonly get: Method<GetRequest, GetRequestInit, GetResponse, GetResponseInit, false, false>;
  readonly list: Method<ListRequest, ListRequestInit, ListResponse, ListResponseInit, true, false>;
  readonly watch: Method<WatchRequest, WatchRequestInit, WatchResponse, WatchResponseInit, true, false>;
  readonly create: Method<CreateRequest, CreateRequestInit, CreateResponse, CreateResponseInit, false, false>;
  readonly update: Method<UpdateRequest, UpdateRequestInit, UpdateResponse, UpdateResponseInit, false, false>;
  readonly teardown: Method<TeardownRequest, TeardownRequestInit, TeardownResponse, TeardownResponseInit, false, false>;
  readonly destroy: Method<DestroyRequest, DestroyRequestInit, DestroyResponse, DestroyResponseInit, false, false>;
};

/** What a server of StateService implements. */
export type StateServiceHandlers = {
  readonly get: handleUnaryCall<GetRequest, GetResponseInit>;
  readonly list: handleServerStreamingCall<ListRequest, ListResponseInit>;
  readonly watch: handleServerStreamingCall<WatchRequest, WatchResponseInit>;
  readonly create: handleUnaryCall<CreateRequest, CreateResponseInit>;
  readonly update: handleUnaryCall<UpdateRequest, UpdateResponseInit>;
  readonly teardown: handleUnaryCall<TeardownRequest, TeardownResponseInit>;
  readonly destroy: handleUnaryCall<DestroyRequest, DestroyResponseInit>;
};
