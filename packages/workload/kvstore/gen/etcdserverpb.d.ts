// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
import type { handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';

/** Encodes and decodes one message. Decoded bytes are views of the input. */
export type Codec<Message, Init> = {
  readonly name: string;
  readonly encode: (message: Init) => Buffer;
  readonly decode: (bytes: Uint8Array) => Message;
};

export declare const CompareResult: {
  readonly EQUAL: 0;
  readonly GREATER: 1;
  readonly LESS: 2;
  readonly NOT_EQUAL: 3;
};
export type CompareResult = (typeof CompareResult)[keyof typeof CompareResult];

export declare const CompareTarget: {
  readonly VERSION: 0;
  readonly CREATE: 1;
  readonly MOD: 2;
};
export type CompareTarget = (typeof CompareTarget)[keyof typeof CompareTarget];

export declare const AlarmType: {
  readonly NONE: 0;
  readonly NOSPACE: 1;
  readonly CORRUPT: 2;
};
export type AlarmType = (typeof AlarmType)[keyof typeof AlarmType];

export declare const AlarmAction: {
  readonly GET: 0;
  readonly ACTIVATE: 1;
  readonly DEACTIVATE: 2;
};
export type AlarmAction = (typeof AlarmAction)[keyof typeof AlarmAction];

export declare const DowngradeAction: {
  readonly VALIDATE: 0;
  readonly ENABLE: 1;
  readonly CANCEL: 2;
};
export type DowngradeAction = (typeof DowngradeAction)[keyof typeof DowngradeAction];

export declare const EventType: {
  readonly PUT: 0;
  readonly DELETE: 1;
};
export type EventType = (typeof EventType)[keyof typeof EventType];

export type ResponseHeader = {
  readonly clusterId: bigint;
  /** who answered */
  readonly memberId: bigint;
  /** of the keys; 0 when the call has nothing to do with them */
  readonly revision: bigint;
  readonly raftTerm: bigint;
};

/** {@link ResponseHeader} with defaults for what is left out. */
export type ResponseHeaderInit = {
  readonly clusterId?: bigint | undefined;
  readonly memberId?: bigint | undefined;
  readonly revision?: bigint | undefined;
  readonly raftTerm?: bigint | undefined;
};

export declare const ResponseHeader: Codec<ResponseHeader, ResponseHeaderInit>;

export type KeyValue = {
  readonly key: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly version: bigint;
  readonly value: Uint8Array;
  readonly lease: bigint;
};

/** {@link KeyValue} with defaults for what is left out. */
export type KeyValueInit = {
  readonly key?: Uint8Array | undefined;
  readonly createRevision?: bigint | undefined;
  readonly modRevision?: bigint | undefined;
  readonly version?: bigint | undefined;
  readonly value?: Uint8Array | undefined;
  readonly lease?: bigint | undefined;
};

export declare const KeyValue: Codec<KeyValue, KeyValueInit>;

export type RangeRequest = {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly limit: bigint;
  readonly revision: bigint;
  /** answered by the member alone, and perhaps with old values */
  readonly serializable: boolean;
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
};

/** {@link RangeRequest} with defaults for what is left out. */
export type RangeRequestInit = {
  readonly key?: Uint8Array | undefined;
  readonly rangeEnd?: Uint8Array | undefined;
  readonly limit?: bigint | undefined;
  readonly revision?: bigint | undefined;
  readonly serializable?: boolean | undefined;
  readonly keysOnly?: boolean | undefined;
  readonly countOnly?: boolean | undefined;
};

export declare const RangeRequest: Codec<RangeRequest, RangeRequestInit>;

export type RangeResponse = {
  readonly header?: ResponseHeader;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: bigint;
};

/** {@link RangeResponse} with defaults for what is left out. */
export type RangeResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly kvs?: readonly KeyValueInit[] | undefined;
  readonly more?: boolean | undefined;
  readonly count?: bigint | undefined;
};

export declare const RangeResponse: Codec<RangeResponse, RangeResponseInit>;

export type PutRequest = {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly lease: bigint;
};

/** {@link PutRequest} with defaults for what is left out. */
export type PutRequestInit = {
  readonly key?: Uint8Array | undefined;
  readonly value?: Uint8Array | undefined;
  readonly lease?: bigint | undefined;
};

export declare const PutRequest: Codec<PutRequest, PutRequestInit>;

export type PutResponse = {
  readonly header?: ResponseHeader;
};

/** {@link PutResponse} with defaults for what is left out. */
export type PutResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
};

export declare const PutResponse: Codec<PutResponse, PutResponseInit>;

export type DeleteRangeRequest = {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
};

/** {@link DeleteRangeRequest} with defaults for what is left out. */
export type DeleteRangeRequestInit = {
  readonly key?: Uint8Array | undefined;
  readonly rangeEnd?: Uint8Array | undefined;
};

export declare const DeleteRangeRequest: Codec<DeleteRangeRequest, DeleteRangeRequestInit>;

export type DeleteRangeResponse = {
  readonly header?: ResponseHeader;
  readonly deleted: bigint;
};

/** {@link DeleteRangeResponse} with defaults for what is left out. */
export type DeleteRangeResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly deleted?: bigint | undefined;
};

export declare const DeleteRangeResponse: Codec<DeleteRangeResponse, DeleteRangeResponseInit>;

/** One of them. */
export type RequestOp = {
  readonly requestRange?: RangeRequest;
  readonly requestPut?: PutRequest;
  readonly requestDeleteRange?: DeleteRangeRequest;
};

/** {@link RequestOp} with defaults for what is left out. */
export type RequestOpInit = {
  readonly requestRange?: RangeRequestInit | undefined;
  readonly requestPut?: PutRequestInit | undefined;
  readonly requestDeleteRange?: DeleteRangeRequestInit | undefined;
};

export declare const RequestOp: Codec<RequestOp, RequestOpInit>;

export type ResponseOp = {
  readonly responseRange?: RangeResponse;
  readonly responsePut?: PutResponse;
  readonly responseDeleteRange?: DeleteRangeResponse;
};

/** {@link ResponseOp} with defaults for what is left out. */
export type ResponseOpInit = {
  readonly responseRange?: RangeResponseInit | undefined;
  readonly responsePut?: PutResponseInit | undefined;
  readonly responseDeleteRange?: DeleteRangeResponseInit | undefined;
};

export declare const ResponseOp: Codec<ResponseOp, ResponseOpInit>;

export type Compare = {
  readonly result: CompareResult;
  readonly target: CompareTarget;
  readonly key: Uint8Array;
  /** The one that the target names. */
  readonly version?: bigint;
  readonly createRevision?: bigint;
  readonly modRevision?: bigint;
};

/** {@link Compare} with defaults for what is left out. */
export type CompareInit = {
  readonly result?: CompareResult | undefined;
  readonly target?: CompareTarget | undefined;
  readonly key?: Uint8Array | undefined;
  readonly version?: bigint | undefined;
  readonly createRevision?: bigint | undefined;
  readonly modRevision?: bigint | undefined;
};

export declare const Compare: Codec<Compare, CompareInit>;

export type TxnRequest = {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
};

/** {@link TxnRequest} with defaults for what is left out. */
export type TxnRequestInit = {
  readonly compare?: readonly CompareInit[] | undefined;
  readonly success?: readonly RequestOpInit[] | undefined;
  readonly failure?: readonly RequestOpInit[] | undefined;
};

export declare const TxnRequest: Codec<TxnRequest, TxnRequestInit>;

export type TxnResponse = {
  readonly header?: ResponseHeader;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOp[];
};

/** {@link TxnResponse} with defaults for what is left out. */
export type TxnResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly succeeded?: boolean | undefined;
  readonly responses?: readonly ResponseOpInit[] | undefined;
};

export declare const TxnResponse: Codec<TxnResponse, TxnResponseInit>;

export type CompactionRequest = {
  readonly revision: bigint;
  /** answer when the old revisions are gone from the file */
  readonly physical: boolean;
};

/** {@link CompactionRequest} with defaults for what is left out. */
export type CompactionRequestInit = {
  readonly revision?: bigint | undefined;
  readonly physical?: boolean | undefined;
};

export declare const CompactionRequest: Codec<CompactionRequest, CompactionRequestInit>;

export type CompactionResponse = {
  readonly header?: ResponseHeader;
};

/** {@link CompactionResponse} with defaults for what is left out. */
export type CompactionResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
};

export declare const CompactionResponse: Codec<CompactionResponse, CompactionResponseInit>;

export type LeaseGrantRequest = {
  /** seconds */
  readonly ttl: bigint;
  /** 0: the cluster chooses */
  readonly id: bigint;
};

/** {@link LeaseGrantRequest} with defaults for what is left out. */
export type LeaseGrantRequestInit = {
  readonly ttl?: bigint | undefined;
  readonly id?: bigint | undefined;
};

export declare const LeaseGrantRequest: Codec<LeaseGrantRequest, LeaseGrantRequestInit>;

export type LeaseGrantResponse = {
  readonly header?: ResponseHeader;
  readonly id: bigint;
  readonly ttl: bigint;
};

/** {@link LeaseGrantResponse} with defaults for what is left out. */
export type LeaseGrantResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly id?: bigint | undefined;
  readonly ttl?: bigint | undefined;
};

export declare const LeaseGrantResponse: Codec<LeaseGrantResponse, LeaseGrantResponseInit>;

export type LeaseRevokeRequest = {
  readonly id: bigint;
};

/** {@link LeaseRevokeRequest} with defaults for what is left out. */
export type LeaseRevokeRequestInit = {
  readonly id?: bigint | undefined;
};

export declare const LeaseRevokeRequest: Codec<LeaseRevokeRequest, LeaseRevokeRequestInit>;

export type LeaseRevokeResponse = {
  readonly header?: ResponseHeader;
};

/** {@link LeaseRevokeResponse} with defaults for what is left out. */
export type LeaseRevokeResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
};

export declare const LeaseRevokeResponse: Codec<LeaseRevokeResponse, LeaseRevokeResponseInit>;

export type LeaseKeepAliveRequest = {
  readonly id: bigint;
};

/** {@link LeaseKeepAliveRequest} with defaults for what is left out. */
export type LeaseKeepAliveRequestInit = {
  readonly id?: bigint | undefined;
};

export declare const LeaseKeepAliveRequest: Codec<LeaseKeepAliveRequest, LeaseKeepAliveRequestInit>;

export type LeaseKeepAliveResponse = {
  readonly header?: ResponseHeader;
  readonly id: bigint;
  /** 0: it has ended */
  readonly ttl: bigint;
};

/** {@link LeaseKeepAliveResponse} with defaults for what is left out. */
export type LeaseKeepAliveResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly id?: bigint | undefined;
  readonly ttl?: bigint | undefined;
};

export declare const LeaseKeepAliveResponse: Codec<LeaseKeepAliveResponse, LeaseKeepAliveResponseInit>;

export type Member = {
  readonly id: bigint;
  /** empty until it has started for the first time */
  readonly name: string;
  readonly peerUrls: readonly string[];
  /** empty like the name */
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
};

/** {@link Member} with defaults for what is left out. */
export type MemberInit = {
  readonly id?: bigint | undefined;
  readonly name?: string | undefined;
  readonly peerUrls?: readonly string[] | undefined;
  readonly clientUrls?: readonly string[] | undefined;
  readonly isLearner?: boolean | undefined;
};

export declare const Member: Codec<Member, MemberInit>;

export type MemberAddRequest = {
  readonly peerUrls: readonly string[];
  readonly isLearner: boolean;
};

/** {@link MemberAddRequest} with defaults for what is left out. */
export type MemberAddRequestInit = {
  readonly peerUrls?: readonly string[] | undefined;
  readonly isLearner?: boolean | undefined;
};

export declare const MemberAddRequest: Codec<MemberAddRequest, MemberAddRequestInit>;

export type MemberAddResponse = {
  readonly header?: ResponseHeader;
  readonly member?: Member;
  readonly members: readonly Member[];
};

/** {@link MemberAddResponse} with defaults for what is left out. */
export type MemberAddResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly member?: MemberInit | undefined;
  readonly members?: readonly MemberInit[] | undefined;
};

export declare const MemberAddResponse: Codec<MemberAddResponse, MemberAddResponseInit>;

export type MemberRemoveRequest = {
  readonly id: bigint;
};

/** {@link MemberRemoveRequest} with defaults for what is left out. */
export type MemberRemoveRequestInit = {
  readonly id?: bigint | undefined;
};

export declare const MemberRemoveRequest: Codec<MemberRemoveRequest, MemberRemoveRequestInit>;

export type MemberRemoveResponse = {
  readonly header?: ResponseHeader;
  readonly members: readonly Member[];
};

/** {@link MemberRemoveResponse} with defaults for what is left out. */
export type MemberRemoveResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly members?: readonly MemberInit[] | undefined;
};

export declare const MemberRemoveResponse: Codec<MemberRemoveResponse, MemberRemoveResponseInit>;

export type MemberUpdateRequest = {
  readonly id: bigint;
  readonly peerUrls: readonly string[];
};

/** {@link MemberUpdateRequest} with defaults for what is left out. */
export type MemberUpdateRequestInit = {
  readonly id?: bigint | undefined;
  readonly peerUrls?: readonly string[] | undefined;
};

export declare const MemberUpdateRequest: Codec<MemberUpdateRequest, MemberUpdateRequestInit>;

export type MemberUpdateResponse = {
  readonly header?: ResponseHeader;
  readonly members: readonly Member[];
};

/** {@link MemberUpdateResponse} with defaults for what is left out. */
export type MemberUpdateResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly members?: readonly MemberInit[] | undefined;
};

export declare const MemberUpdateResponse: Codec<MemberUpdateResponse, MemberUpdateResponseInit>;

export type MemberListRequest = {
  readonly linearizable: boolean;
};

/** {@link MemberListRequest} with defaults for what is left out. */
export type MemberListRequestInit = {
  readonly linearizable?: boolean | undefined;
};

export declare const MemberListRequest: Codec<MemberListRequest, MemberListRequestInit>;

export type MemberListResponse = {
  readonly header?: ResponseHeader;
  readonly members: readonly Member[];
};

/** {@link MemberListResponse} with defaults for what is left out. */
export type MemberListResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly members?: readonly MemberInit[] | undefined;
};

export declare const MemberListResponse: Codec<MemberListResponse, MemberListResponseInit>;

export type MemberPromoteRequest = {
  readonly id: bigint;
};

/** {@link MemberPromoteRequest} with defaults for what is left out. */
export type MemberPromoteRequestInit = {
  readonly id?: bigint | undefined;
};

export declare const MemberPromoteRequest: Codec<MemberPromoteRequest, MemberPromoteRequestInit>;

export type MemberPromoteResponse = {
  readonly header?: ResponseHeader;
  readonly members: readonly Member[];
};

/** {@link MemberPromoteResponse} with defaults for what is left out. */
export type MemberPromoteResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly members?: readonly MemberInit[] | undefined;
};

export declare const MemberPromoteResponse: Codec<MemberPromoteResponse, MemberPromoteResponseInit>;

export type AlarmRequest = {
  readonly action: AlarmAction;
  /** 0: all members */
  readonly memberId: bigint;
  readonly alarm: AlarmType;
};

/** {@link AlarmRequest} with defaults for what is left out. */
export type AlarmRequestInit = {
  readonly action?: AlarmAction | undefined;
  readonly memberId?: bigint | undefined;
  readonly alarm?: AlarmType | undefined;
};

export declare const AlarmRequest: Codec<AlarmRequest, AlarmRequestInit>;

export type AlarmMember = {
  readonly memberId: bigint;
  readonly alarm: AlarmType;
};

/** {@link AlarmMember} with defaults for what is left out. */
export type AlarmMemberInit = {
  readonly memberId?: bigint | undefined;
  readonly alarm?: AlarmType | undefined;
};

export declare const AlarmMember: Codec<AlarmMember, AlarmMemberInit>;

export type AlarmResponse = {
  readonly header?: ResponseHeader;
  readonly alarms: readonly AlarmMember[];
};

/** {@link AlarmResponse} with defaults for what is left out. */
export type AlarmResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly alarms?: readonly AlarmMemberInit[] | undefined;
};

export declare const AlarmResponse: Codec<AlarmResponse, AlarmResponseInit>;

export type StatusRequest = {
};

/** {@link StatusRequest} with defaults for what is left out. */
export type StatusRequestInit = {
};

export declare const StatusRequest: Codec<StatusRequest, StatusRequestInit>;

export type StatusResponse = {
  readonly header?: ResponseHeader;
  /** of the program */
  readonly version: string;
  readonly dbSize: bigint;
  /** 0: none */
  readonly leader: bigint;
  readonly raftIndex: bigint;
  readonly raftTerm: bigint;
  readonly raftAppliedIndex: bigint;
  readonly errors: readonly string[];
  readonly dbSizeInUse: bigint;
  readonly isLearner: boolean;
  /** since 3.6 */
  readonly storageVersion: string;
  /** since 3.6 */
  readonly dbSizeQuota: bigint;
};

/** {@link StatusResponse} with defaults for what is left out. */
export type StatusResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly version?: string | undefined;
  readonly dbSize?: bigint | undefined;
  readonly leader?: bigint | undefined;
  readonly raftIndex?: bigint | undefined;
  readonly raftTerm?: bigint | undefined;
  readonly raftAppliedIndex?: bigint | undefined;
  readonly errors?: readonly string[] | undefined;
  readonly dbSizeInUse?: bigint | undefined;
  readonly isLearner?: boolean | undefined;
  readonly storageVersion?: string | undefined;
  readonly dbSizeQuota?: bigint | undefined;
};

export declare const StatusResponse: Codec<StatusResponse, StatusResponseInit>;

export type DefragmentRequest = {
};

/** {@link DefragmentRequest} with defaults for what is left out. */
export type DefragmentRequestInit = {
};

export declare const DefragmentRequest: Codec<DefragmentRequest, DefragmentRequestInit>;

export type DefragmentResponse = {
  readonly header?: ResponseHeader;
};

/** {@link DefragmentResponse} with defaults for what is left out. */
export type DefragmentResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
};

export declare const DefragmentResponse: Codec<DefragmentResponse, DefragmentResponseInit>;

export type HashRequest = {
};

/** {@link HashRequest} with defaults for what is left out. */
export type HashRequestInit = {
};

export declare const HashRequest: Codec<HashRequest, HashRequestInit>;

export type HashResponse = {
  readonly header?: ResponseHeader;
  readonly hash: number;
};

/** {@link HashResponse} with defaults for what is left out. */
export type HashResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly hash?: number | undefined;
};

export declare const HashResponse: Codec<HashResponse, HashResponseInit>;

export type HashKVRequest = {
  /** 0: the newest */
  readonly revision: bigint;
};

/** {@link HashKVRequest} with defaults for what is left out. */
export type HashKVRequestInit = {
  readonly revision?: bigint | undefined;
};

export declare const HashKVRequest: Codec<HashKVRequest, HashKVRequestInit>;

export type HashKVResponse = {
  readonly header?: ResponseHeader;
  readonly hash: number;
  readonly compactRevision: bigint;
};

/** {@link HashKVResponse} with defaults for what is left out. */
export type HashKVResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly hash?: number | undefined;
  readonly compactRevision?: bigint | undefined;
};

export declare const HashKVResponse: Codec<HashKVResponse, HashKVResponseInit>;

export type SnapshotRequest = {
};

/** {@link SnapshotRequest} with defaults for what is left out. */
export type SnapshotRequestInit = {
};

export declare const SnapshotRequest: Codec<SnapshotRequest, SnapshotRequestInit>;

export type SnapshotResponse = {
  readonly header?: ResponseHeader;
  readonly remainingBytes: bigint;
  readonly blob: Uint8Array;
  /** since 3.6 */
  readonly version: string;
};

/** {@link SnapshotResponse} with defaults for what is left out. */
export type SnapshotResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly remainingBytes?: bigint | undefined;
  readonly blob?: Uint8Array | undefined;
  readonly version?: string | undefined;
};

export declare const SnapshotResponse: Codec<SnapshotResponse, SnapshotResponseInit>;

export type MoveLeaderRequest = {
  readonly targetId: bigint;
};

/** {@link MoveLeaderRequest} with defaults for what is left out. */
export type MoveLeaderRequestInit = {
  readonly targetId?: bigint | undefined;
};

export declare const MoveLeaderRequest: Codec<MoveLeaderRequest, MoveLeaderRequestInit>;

export type MoveLeaderResponse = {
  readonly header?: ResponseHeader;
};

/** {@link MoveLeaderResponse} with defaults for what is left out. */
export type MoveLeaderResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
};

export declare const MoveLeaderResponse: Codec<MoveLeaderResponse, MoveLeaderResponseInit>;

export type DowngradeRequest = {
  readonly action: DowngradeAction;
  readonly version: string;
};

/** {@link DowngradeRequest} with defaults for what is left out. */
export type DowngradeRequestInit = {
  readonly action?: DowngradeAction | undefined;
  readonly version?: string | undefined;
};

export declare const DowngradeRequest: Codec<DowngradeRequest, DowngradeRequestInit>;

export type DowngradeResponse = {
  readonly header?: ResponseHeader;
  /** of the cluster, now */
  readonly version: string;
};

/** {@link DowngradeResponse} with defaults for what is left out. */
export type DowngradeResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly version?: string | undefined;
};

export declare const DowngradeResponse: Codec<DowngradeResponse, DowngradeResponseInit>;

export type AuthenticateRequest = {
  readonly name: string;
  /** a string for etcd, the same on the wire: here it is never one */
  readonly password: Uint8Array;
};

/** {@link AuthenticateRequest} with defaults for what is left out. */
export type AuthenticateRequestInit = {
  readonly name?: string | undefined;
  readonly password?: Uint8Array | undefined;
};

export declare const AuthenticateRequest: Codec<AuthenticateRequest, AuthenticateRequestInit>;

export type AuthenticateResponse = {
  readonly header?: ResponseHeader;
  readonly token: string;
};

/** {@link AuthenticateResponse} with defaults for what is left out. */
export type AuthenticateResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly token?: string | undefined;
};

export declare const AuthenticateResponse: Codec<AuthenticateResponse, AuthenticateResponseInit>;

export type WatchRequest = {
  /** one of several that a stream may carry */
  readonly createRequest?: WatchCreateRequest;
};

/** {@link WatchRequest} with defaults for what is left out. */
export type WatchRequestInit = {
  readonly createRequest?: WatchCreateRequestInit | undefined;
};

export declare const WatchRequest: Codec<WatchRequest, WatchRequestInit>;

export type WatchCreateRequest = {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  /** the first that is wanted; 0: those to come */
  readonly startRevision: bigint;
  /** empty answers now and then, with the revision */
  readonly progressNotify: boolean;
  readonly prevKv: boolean;
};

/** {@link WatchCreateRequest} with defaults for what is left out. */
export type WatchCreateRequestInit = {
  readonly key?: Uint8Array | undefined;
  readonly rangeEnd?: Uint8Array | undefined;
  readonly startRevision?: bigint | undefined;
  readonly progressNotify?: boolean | undefined;
  readonly prevKv?: boolean | undefined;
};

export declare const WatchCreateRequest: Codec<WatchCreateRequest, WatchCreateRequestInit>;

export type WatchResponse = {
  readonly header?: ResponseHeader;
  readonly watchId: bigint;
  readonly created: boolean;
  readonly canceled: boolean;
  /** when it is canceled because the start is compacted */
  readonly compactRevision: bigint;
  readonly cancelReason: string;
  readonly events: readonly Event[];
};

/** {@link WatchResponse} with defaults for what is left out. */
export type WatchResponseInit = {
  readonly header?: ResponseHeaderInit | undefined;
  readonly watchId?: bigint | undefined;
  readonly created?: boolean | undefined;
  readonly canceled?: boolean | undefined;
  readonly compactRevision?: bigint | undefined;
  readonly cancelReason?: string | undefined;
  readonly events?: readonly EventInit[] | undefined;
};

export declare const WatchResponse: Codec<WatchResponse, WatchResponseInit>;

export type Event = {
  readonly type: EventType;
  readonly kv?: KeyValue;
  readonly prevKv?: KeyValue;
};

/** {@link Event} with defaults for what is left out. */
export type EventInit = {
  readonly type?: EventType | undefined;
  readonly kv?: KeyValueInit | undefined;
  readonly prevKv?: KeyValueInit | undefined;
};

export declare const Event: Codec<Event, EventInit>;

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

export declare const KV: {
  readonly range: Method<RangeRequest, RangeRequestInit, RangeResponse, RangeResponseInit, false, false>;
  readonly put: Method<PutRequest, PutRequestInit, PutResponse, PutResponseInit, false, false>;
  readonly deleteRange: Method<DeleteRangeRequest, DeleteRangeRequestInit, DeleteRangeResponse, DeleteRangeResponseInit, false, false>;
  readonly txn: Method<TxnRequest, TxnRequestInit, TxnResponse, TxnResponseInit, false, false>;
  readonly compact: Method<CompactionRequest, CompactionRequestInit, CompactionResponse, CompactionResponseInit, false, false>;
};

/** What a server of KV implements. */
export type KVHandlers = {
  readonly range: handleUnaryCall<RangeRequest, RangeResponseInit>;
  readonly put: handleUnaryCall<PutRequest, PutResponseInit>;
  readonly deleteRange: handleUnaryCall<DeleteRangeRequest, DeleteRangeResponseInit>;
  readonly txn: handleUnaryCall<TxnRequest, TxnResponseInit>;
  readonly compact: handleUnaryCall<CompactionRequest, CompactionResponseInit>;
};

export declare const Watch: {
  readonly watch: Method<WatchRequest, WatchRequestInit, WatchResponse, WatchResponseInit, true, false>;
};

/** What a server of Watch implements. */
export type WatchHandlers = {
  readonly watch: handleServerStreamingCall<WatchRequest, WatchResponseInit>;
};

export declare const Lease: {
  readonly leaseGrant: Method<LeaseGrantRequest, LeaseGrantRequestInit, LeaseGrantResponse, LeaseGrantResponseInit, false, false>;
  readonly leaseRevoke: Method<LeaseRevokeRequest, LeaseRevokeRequestInit, LeaseRevokeResponse, LeaseRevokeResponseInit, false, false>;
  readonly leaseKeepAlive: Method<LeaseKeepAliveRequest, LeaseKeepAliveRequestInit, LeaseKeepAliveResponse, LeaseKeepAliveResponseInit, false, false>;
};

/** What a server of Lease implements. */
export type LeaseHandlers = {
  readonly leaseGrant: handleUnaryCall<LeaseGrantRequest, LeaseGrantResponseInit>;
  readonly leaseRevoke: handleUnaryCall<LeaseRevokeRequest, LeaseRevokeResponseInit>;
  readonly leaseKeepAlive: handleUnaryCall<LeaseKeepAliveRequest, LeaseKeepAliveResponseInit>;
};

export declare const Cluster: {
  readonly memberAdd: Method<MemberAddRequest, MemberAddRequestInit, MemberAddResponse, MemberAddResponseInit, false, false>;
  readonly memberRemove: Method<MemberRemoveRequest, MemberRemoveRequestInit, MemberRemoveResponse, MemberRemoveResponseInit, false, false>;
  readonly memberUpdate: Method<MemberUpdateRequest, MemberUpdateRequestInit, MemberUpdateResponse, MemberUpdateResponseInit, false, false>;
  readonly memberList: Method<MemberListRequest, MemberListRequestInit, MemberListResponse, MemberListResponseInit, false, false>;
  readonly memberPromote: Method<MemberPromoteRequest, MemberPromoteRequestInit, MemberPromoteResponse, MemberPromoteResponseInit, false, false>;
};

/** What a server of Cluster implements. */
export type ClusterHandlers = {
  readonly memberAdd: handleUnaryCall<MemberAddRequest, MemberAddResponseInit>;
  readonly memberRemove: handleUnaryCall<MemberRemoveRequest, MemberRemoveResponseInit>;
  readonly memberUpdate: handleUnaryCall<MemberUpdateRequest, MemberUpdateResponseInit>;
  readonly memberList: handleUnaryCall<MemberListRequest, MemberListResponseInit>;
  readonly memberPromote: handleUnaryCall<MemberPromoteRequest, MemberPromoteResponseInit>;
};

export declare const Maintenance: {
  readonly alarm: Method<AlarmRequest, AlarmRequestInit, AlarmResponse, AlarmResponseInit, false, false>;
  readonly status: Method<StatusRequest, StatusRequestInit, StatusResponse, StatusResponseInit, false, false>;
  readonly defragment: Method<DefragmentRequest, DefragmentRequestInit, DefragmentResponse, DefragmentResponseInit, false, false>;
  readonly hash: Method<HashRequest, HashRequestInit, HashResponse, HashResponseInit, false, false>;
  readonly hashKV: Method<HashKVRequest, HashKVRequestInit, HashKVResponse, HashKVResponseInit, false, false>;
  readonly snapshot: Method<SnapshotRequest, SnapshotRequestInit, SnapshotResponse, SnapshotResponseInit, true, false>;
  readonly moveLeader: Method<MoveLeaderRequest, MoveLeaderRequestInit, MoveLeaderResponse, MoveLeaderResponseInit, false, false>;
  readonly downgrade: Method<DowngradeRequest, DowngradeRequestInit, DowngradeResponse, DowngradeResponseInit, false, false>;
};

/** What a server of Maintenance implements. */
export type MaintenanceHandlers = {
  readonly alarm: handleUnaryCall<AlarmRequest, AlarmResponseInit>;
  readonly status: handleUnaryCall<StatusRequest, StatusResponseInit>;
  readonly defragment: handleUnaryCall<DefragmentRequest, DefragmentResponseInit>;
  readonly hash: handleUnaryCall<HashRequest, HashResponseInit>;
  readonly hashKV: handleUnaryCall<HashKVRequest, HashKVResponseInit>;
  readonly snapshot: handleServerStreamingCall<SnapshotRequest, SnapshotResponseInit>;
  readonly moveLeader: handleUnaryCall<MoveLeaderRequest, MoveLeaderResponseInit>;
  readonly downgrade: handleUnaryCall<DowngradeRequest, DowngradeResponseInit>;
};

export declare const Auth: {
  readonly authenticate: Method<AuthenticateRequest, AuthenticateRequestInit, AuthenticateResponse, AuthenticateResponseInit, false, false>;
};

/** What a server of Auth implements. */
export type AuthHandlers = {
  readonly authenticate: handleUnaryCall<AuthenticateRequest, AuthenticateResponseInit>;
};
