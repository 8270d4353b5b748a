import {
  CaptureService,
  CgroupService,
  EventService,
  KernelLogService,
  InspectService,
  LifecycleService,
  MachineService,
  ResourceService,
  StorageService,
  TimeService,
  TrimService,
  VolumeService,
  type AccessResponse,
  type AddRecoveryKeyRequestInit,
  type AddRecoveryKeyResponse,
  type ApplyConfigurationRequestInit,
  type ApplyConfigurationResponse,
  type BackupHeaderRequestInit,
  type BackupHeaderResponse,
  type CaptureInterfacesResponse,
  type CaptureRequestInit,
  type CaptureResponse,
  type CgroupsResponse,
  type ControllerRuntimeDependenciesResponse,
  type DmesgRequestInit,
  type DmesgResponse,
  type EventsRequestInit,
  type EventsResponse,
  type GenerateClientConfigurationRequestInit,
  type GenerateClientConfigurationResponse,
  type GetRequestInit,
  type GetResponse,
  type HealthResponse,
  type InstallRequestInit,
  type InstallResponse,
  type ListRequestInit,
  type ListResponse,
  type MetaDeleteRequestInit,
  type MetaWriteRequestInit,
  type MountsResponse,
  type PressureRequestInit,
  type PressureResponse,
  type ProveEmptyRequestInit,
  type ProveEmptyResponse,
  type RebootRequestInit,
  type RebootResponse,
  type ReadCgroupsRequestInit,
  type ResetRequestInit,
  type ResetResponse,
  type RestoreHeaderRequestInit,
  type RestoreHeaderResponse,
  type RollbackRequestInit,
  type RollbackResponse,
  type RotateKeysRequestInit,
  type RotateKeysResponse,
  type ShutdownRequestInit,
  type ShutdownResponse,
  type StopCaptureRequestInit,
  type StopCaptureResponse,
  type TimeRequestInit,
  type TimeResponse,
  type TrimRequestInit,
  type TrimResponse,
  type UpgradeRequestInit,
  type UpgradeResponse,
  type VersionResponse,
  type WatchCgroupsRequestInit,
  type WatchRequestInit,
  type WatchResponse,
  type WipeRequestInit,
  type WipeResponse,
  type WipeVolumesRequestInit,
  type CaptureFilesResponse,
  type ReadCaptureFileRequestInit,
  type ReadCaptureFileResponse,
  type RemoveCaptureFileRequestInit,
  type RemoveCaptureFileResponse,
} from '../../gen/nodecore-v1.js';
import { ActivityClient } from './activity.ts';
import { stream, unary, upload } from './call.ts';
import type { CallOptions, Channel } from './channel.ts';
import type { ConnectOptions } from './connect-options.ts';
import { ContainersClient } from './containers.ts';
import { CountersClient } from './counters.ts';
import { FilesClient } from './files.ts';
import { KvstoreClient } from './kvstore.ts';
import { LentCall, type LentCallOptions } from './lent-call.ts';
import { OwnedChannel } from './owned-channel.ts';
import { ProfilesClient } from './profiles.ts';
import { ServicesClient } from './services.ts';

/** The first configuration is answered only when STATE is made, for which a node takes up to 120 s. */
const applyTimeoutMs = 150_000;

/** A node may take a minute to reach a key server, and derives memory-hard keys one after the other. */
const keyTimeoutMs = 300_000;

/** A turn on the disk, and a proof on one that turns. */
const proofTimeoutMs = 60_000;

/**
 * A client of one endpoint. Nothing is sent before the first call.
 *
 * @example
 * await using client = connect({ endpoint: '10.0.0.5', ca, crt, key });
 * console.log((await client.version()).version);
 */
export function connect(options: ConnectOptions): Client {
  return new Client(options);
}

/** Calls to one endpoint over one connection. Owned by the caller of {@link connect}. */
export class Client {
  readonly #channel: Channel;
  readonly #owned: OwnedChannel;
  /** Files of the node. */
  readonly files: FilesClient;
  /** The kvstore's member on the node. */
  readonly kvstore: KvstoreClient;
  /** The services of the node, and their logs. */
  readonly services: ServicesClient;
  /** What runs on the node, and its sockets. */
  readonly activity: ActivityClient;
  /** What the kernel of the node counts. */
  readonly counters: CountersClient;
  /** The containers and images of the node. */
  readonly containers: ContainersClient;

  /** Where the agent's own processor time and memory go. */
  readonly profiles: ProfilesClient;

  /** Use {@link connect}. */
  constructor(options: ConnectOptions) {
    this.#owned = new OwnedChannel(options);
    this.#channel = this.#owned.channel;
    this.files = new FilesClient(this.#channel);
    this.kvstore = new KvstoreClient(this.#channel);
    this.services = new ServicesClient(this.#channel);
    this.activity = new ActivityClient(this.#channel);
    this.counters = new CountersClient(this.#channel);
    this.containers = new ContainersClient(this.#channel);
    this.profiles = new ProfilesClient(this.#channel);
  }

  /** `host:port` this client connects to. */
  get endpoint(): string {
    return this.#channel.endpoint;
  }

  applyConfiguration(
    request: ApplyConfigurationRequestInit,
    options: CallOptions = {},
  ): Promise<ApplyConfigurationResponse> {
    const withTime = { timeoutMs: applyTimeoutMs, ...options };
    return unary(this.#channel, MachineService.applyConfiguration, request, withTime);
  }

  /** Who the caller is to the node, and what they may call. */
  access(options: CallOptions = {}): Promise<AccessResponse> {
    return unary(this.#channel, MachineService.access, {}, options);
  }

  version(options: CallOptions = {}): Promise<VersionResponse> {
    return unary(this.#channel, MachineService.version, {}, options);
  }

  /** The clock of the node beside that of a server, which the node asks. */
  time(request: TimeRequestInit = {}, options: CallOptions = {}): Promise<TimeResponse> {
    return unary(this.#channel, TimeService.time, request, options);
  }

  mounts(options: CallOptions = {}): Promise<MountsResponse> {
    return unary(this.#channel, MachineService.mounts, {}, options);
  }

  get(request: GetRequestInit, options: CallOptions = {}): Promise<GetResponse> {
    return unary(this.#channel, ResourceService.get, request, options);
  }

  /** Batches sorted by id; the last one has the bookmark. */
  list(request: ListRequestInit, options: CallOptions = {}): AsyncIterable<ListResponse> {
    return stream(this.#channel, ResourceService.list, request, { timeoutMs: 30_000, ...options });
  }

  /** Batches of events of one connection; `follow` goes on after a lost one. */
  watch(request: WatchRequestInit, options: CallOptions = {}): AsyncIterable<WatchResponse> {
    return stream(this.#channel, ResourceService.watch, request, options);
  }

  /** Records of the kernel's log, of one connection. */
  dmesg(request: DmesgRequestInit, options: CallOptions = {}): AsyncIterable<DmesgResponse> {
    return stream(this.#channel, KernelLogService.dmesg, request, options);
  }

  /** Events of one connection; `followEvents` goes on after a lost one. */
  events(request: EventsRequestInit, options: CallOptions = {}): AsyncIterable<EventsResponse> {
    return stream(this.#channel, EventService.events, request, options);
  }

  /** What happens to each key, as it happens. A volume that fails says so in the stream. */
  rotateKeys(request: RotateKeysRequestInit, options: CallOptions = {}): AsyncIterable<RotateKeysResponse> {
    return stream(this.#channel, VolumeService.rotateKeys, request, options);
  }

  addRecoveryKey(
    request: AddRecoveryKeyRequestInit,
    options: CallOptions = {},
  ): Promise<AddRecoveryKeyResponse> {
    const withTime = { timeoutMs: keyTimeoutMs, ...options };
    return unary(this.#channel, VolumeService.addRecoveryKey, request, withTime);
  }

  /** The header's bytes in order. */
  backupHeader(
    request: BackupHeaderRequestInit,
    options: CallOptions = {},
  ): AsyncIterable<BackupHeaderResponse> {
    return stream(this.#channel, VolumeService.backupHeader, request, options);
  }

  /** The first request names the volume; the data of all, one after the other, is the header. */
  restoreHeader(
    requests: AsyncIterable<RestoreHeaderRequestInit>,
    options: CallOptions = {},
  ): Promise<RestoreHeaderResponse> {
    const withTime = { timeoutMs: keyTimeoutMs, ...options };
    return upload(this.#channel, VolumeService.restoreHeader, requests, withTime);
  }

  /** What runs on the node, what each part needs, and what it reads and writes. */
  dependencies(options: CallOptions = {}): Promise<ControllerRuntimeDependenciesResponse> {
    return unary(this.#channel, InspectService.controllerRuntimeDependencies, {}, options);
  }

  /** Whether the node is well, by its own judgement. */
  health(options: CallOptions = {}): Promise<HealthResponse> {
    return unary(this.#channel, InspectService.health, {}, options);
  }

  /** How far each trim is, as it goes on; the end of the call ends the trims. */
  trim(request: TrimRequestInit, options: CallOptions = {}): AsyncIterable<TrimResponse> {
    return stream(this.#channel, TrimService.trim, request, options);
  }

  /** Whether a disk or partition is empty, and what the answer rests on. */
  proveEmpty(request: ProveEmptyRequestInit, options: CallOptions = {}): Promise<ProveEmptyResponse> {
    return unary(this.#channel, StorageService.proveEmpty, request, {
      timeoutMs: proofTimeoutMs,
      ...options,
    });
  }

  /** How far each device is, as it goes on; the end of the call ends the wipe. */
  wipe(request: WipeRequestInit, options: CallOptions = {}): AsyncIterable<WipeResponse> {
    return stream(this.#channel, StorageService.wipe, request, options);
  }

  /** The same for volumes, by their ids. */
  wipeVolumes(request: WipeVolumesRequestInit, options: CallOptions = {}): AsyncIterable<WipeResponse> {
    return stream(this.#channel, StorageService.wipeVolumes, request, options);
  }

  /** How far the reset of the node is; the node goes on with it when nobody listens any more. */
  reset(request: ResetRequestInit, options: CallOptions = {}): AsyncIterable<ResetResponse> {
    return stream(this.#channel, StorageService.reset, request, options);
  }

  /** Begins the machine anew. It answers before that begins: `BootIDs` says when another boot runs. */
  reboot(request: RebootRequestInit, options: CallOptions = {}): Promise<RebootResponse> {
    return unary(this.#channel, MachineService.reboot, request, options);
  }

  /** Switches the machine off; it answers before. */
  shutdown(request: ShutdownRequestInit, options: CallOptions = {}): Promise<ShutdownResponse> {
    return unary(this.#channel, MachineService.shutdown, request, options);
  }

  /** Keeps a value in META. */
  async metaWrite(request: MetaWriteRequestInit, options: CallOptions = {}): Promise<void> {
    await unary(this.#channel, MachineService.metaWrite, request, { timeoutMs: 60_000, ...options });
  }

  /** Takes a value out of META. */
  async metaDelete(request: MetaDeleteRequestInit, options: CallOptions = {}): Promise<void> {
    await unary(this.#channel, MachineService.metaDelete, request, { timeoutMs: 60_000, ...options });
  }

  /** Has the other good release boot, and reboots. */
  rollback(request: RollbackRequestInit = {}, options: CallOptions = {}): Promise<RollbackResponse> {
    return unary(this.#channel, MachineService.rollback, request, { timeoutMs: 60_000, ...options });
  }

  /** A certificate for another user of the cluster, for a key that stays here. */
  generateClientConfiguration(
    request: GenerateClientConfigurationRequestInit,
    options: CallOptions = {},
  ): Promise<GenerateClientConfigurationResponse> {
    return unary(this.#channel, MachineService.generateClientConfiguration, request, options);
  }

  /** Makes a disk the system disk; the last answer has the exit code. */
  install(request: InstallRequestInit, options: CallOptions = {}): AsyncIterable<InstallResponse> {
    return stream(this.#channel, LifecycleService.install, request, options);
  }

  /** Writes another release beside the one that runs; the last answer has the exit code. */
  upgrade(request: UpgradeRequestInit, options: CallOptions = {}): AsyncIterable<UpgradeResponse> {
    return stream(this.#channel, LifecycleService.upgrade, request, options);
  }

  /** Packets as a file in pieces; a reader that is too slow loses some, and the report says how many. */
  capture(request: CaptureRequestInit, options: CallOptions = {}): AsyncIterable<CaptureResponse> {
    return stream(this.#channel, CaptureService.capture, request, options);
  }

  /** The same for gigabytes: `messagesOf` of the capture makes the call; each message is a `CaptureResponse`. */
  captureCall(request: CaptureRequestInit, options: LentCallOptions = {}): LentCall {
    const { path, requestSerialize } = CaptureService.capture;
    return new LentCall(this.#channel, path, requestSerialize(request), options);
  }

  /** Ends a capture in order: its stream goes on with what was captured before, and the report. */
  stopCapture(request: StopCaptureRequestInit, options: CallOptions = {}): Promise<StopCaptureResponse> {
    return unary(this.#channel, CaptureService.stop, request, options);
  }

  /** What can be captured on. */
  captureInterfaces(options: CallOptions = {}): Promise<CaptureInterfacesResponse> {
    return unary(this.#channel, CaptureService.interfaces, {}, options);
  }

  /** The files that captures have left on the node. */
  captureFiles(options: CallOptions = {}): Promise<CaptureFilesResponse> {
    return unary(this.#channel, CaptureService.files, {}, options);
  }

  /** One of them, in pieces. */
  readCaptureFile(
    request: ReadCaptureFileRequestInit,
    options: CallOptions = {},
  ): AsyncIterable<ReadCaptureFileResponse> {
    return stream(this.#channel, CaptureService.readFile, request, options);
  }

  removeCaptureFile(
    request: RemoveCaptureFileRequestInit,
    options: CallOptions = {},
  ): Promise<RemoveCaptureFileResponse> {
    return unary(this.#channel, CaptureService.removeFile, request, options);
  }

  /** Files of cgroups, once. */
  cgroups(request: ReadCgroupsRequestInit, options: CallOptions = {}): AsyncIterable<CgroupsResponse> {
    return stream(this.#channel, CgroupService.read, request, { timeoutMs: 30_000, ...options });
  }

  /** Files of cgroups again and again, with the rates of their counters; leaving the loop ends it. */
  watchCgroups(request: WatchCgroupsRequestInit, options: CallOptions = {}): AsyncIterable<CgroupsResponse> {
    return stream(this.#channel, CgroupService.watch, request, options);
  }

  /** Who stalls, once or with an interval. */
  pressure(request: PressureRequestInit, options: CallOptions = {}): AsyncIterable<PressureResponse> {
    return stream(this.#channel, CgroupService.pressure, request, options);
  }

  /** Ends the connection and every call on it. Twice is fine. */
  close(): void {
    this.#owned.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
