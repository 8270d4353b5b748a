import {
  type BootstrapRequestInit,
  type BootstrapResponse,
  type DefragmentRequestInit,
  type DefragmentResponse,
  type DisarmAlarmsRequestInit,
  type DisarmAlarmsResponse,
  type DowngradeRequestInit,
  type DowngradeResponse,
  type ForfeitLeadershipResponse,
  type KvstoreAlarmsResponse,
  type KvstoreMembersResponse,
  KvstoreService,
  type KvstoreStatusResponse,
  type LeaveKvstoreResponse,
  type RecoverRequestInit,
  type RecoverResponse,
  type RecoverSpaceResponse,
  type RemoveMemberRequestInit,
  type RemoveMemberResponse,
} from '../../gen/nodecore-v1.js';
import { stream, unary, upload } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';
import { LentCall, type LentCallOptions } from './lent-call.ts';

/** Databases have gigabytes, and ways to nodes are slow. */
const uploadTimeoutMs = 6 * 3_600_000;

/** The numbers of the fields of `KvstoreSnapshotResponse`. */
export const kvstoreSnapshotLayout = { data: 1, total: 2 } as const;

/** Calls to the kvstore's member on one node. Lives as long as the `Client` it is of. */
export class KvstoreClient {
  readonly #channel: Channel;

  /** Use `Client.kvstore`. */
  constructor(channel: Channel) {
    this.#channel = channel;
  }

  status(options: CallOptions = {}): Promise<KvstoreStatusResponse> {
    return unary(this.#channel, KvstoreService.status, {}, options);
  }

  /** As the node's own member knows them. */
  members(options: CallOptions = {}): Promise<KvstoreMembersResponse> {
    return unary(this.#channel, KvstoreService.members, {}, options);
  }

  alarms(options: CallOptions = {}): Promise<KvstoreAlarmsResponse> {
    return unary(this.#channel, KvstoreService.alarms, {}, options);
  }

  /** Disarms what is named, and says what of it was armed. */
  disarmAlarms(request: DisarmAlarmsRequestInit, options: CallOptions = {}): Promise<DisarmAlarmsResponse> {
    return unary(this.#channel, KvstoreService.disarmAlarms, request, options);
  }

  /**
   * The database: gigabytes, which `receiveSnapshotCall` of the kvstore brings into a file. Its messages are laid out as
   * {@link kvstoreSnapshotLayout} says.
   */
  snapshot(options: LentCallOptions = {}): LentCall {
    const { path, requestSerialize } = KvstoreService.snapshot;
    return new LentCall(this.#channel, path, requestSerialize({}), options);
  }

  defragment(request: DefragmentRequestInit, options: CallOptions = {}): AsyncIterable<DefragmentResponse> {
    return stream(this.#channel, KvstoreService.defragment, request, options);
  }

  /** Compacts, defragments every member and disarms, when NOSPACE is raised; the report is the last message. */
  recoverSpace(options: CallOptions = {}): AsyncIterable<RecoverSpaceResponse> {
    return stream(this.#channel, KvstoreService.recoverSpace, {}, options);
  }

  forfeitLeadership(options: CallOptions = {}): Promise<ForfeitLeadershipResponse> {
    return unary(this.#channel, KvstoreService.forfeitLeadership, {}, options);
  }

  leave(options: CallOptions = {}): Promise<LeaveKvstoreResponse> {
    return unary(this.#channel, KvstoreService.leave, {}, options);
  }

  removeMember(request: RemoveMemberRequestInit, options: CallOptions = {}): Promise<RemoveMemberResponse> {
    return unary(this.#channel, KvstoreService.removeMember, request, options);
  }

  downgrade(request: DowngradeRequestInit, options: CallOptions = {}): Promise<DowngradeResponse> {
    return unary(this.#channel, KvstoreService.downgrade, request, options);
  }

  /** Brings a snapshot for {@link bootstrap}; the last request has the SHA-256 of all data. */
  recover(requests: AsyncIterable<RecoverRequestInit>, options: CallOptions = {}): Promise<RecoverResponse> {
    return upload(this.#channel, KvstoreService.recover, requests, {
      timeoutMs: uploadTimeoutMs,
      ...options,
    });
  }

  /** What is being done, step by step; resolves its last message when the member is healthy. */
  bootstrap(request: BootstrapRequestInit, options: CallOptions = {}): AsyncIterable<BootstrapResponse> {
    return stream(this.#channel, KvstoreService.bootstrap, request, options);
  }
}
