// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';

/** Encodes and decodes one message. Decoded bytes are views of the input. */
export type Codec<Message, Init> = {
  readonly name: string;
  readonly encode: (message: Init) => Buffer;
  readonly decode: (bytes: Uint8Array) => Message;
};

export declare const CaptureFormat: {
  /** pcap for one interface, pcapng for several */
  readonly UNSPECIFIED: 0;
  /** little-endian, nanoseconds; interfaces of one link type */
  readonly PCAP: 1;
  /** says which interface each packet is of, and ends with what was lost */
  readonly PCAPNG: 2;
};
export type CaptureFormat = (typeof CaptureFormat)[keyof typeof CaptureFormat];

export declare const CaptureDirection: {
  /** both */
  readonly UNSPECIFIED: 0;
  readonly IN: 1;
  readonly OUT: 2;
};
export type CaptureDirection = (typeof CaptureDirection)[keyof typeof CaptureDirection];

export declare const CaptureEnd: {
  readonly UNSPECIFIED: 0;
  readonly STOPPED: 1;
  readonly DURATION: 2;
  readonly PACKETS: 3;
  readonly BYTES: 4;
  /** the node has no more room for the file */
  readonly SPACE: 5;
  /** the status that follows says why */
  readonly FAILED: 6;
};
export type CaptureEnd = (typeof CaptureEnd)[keyof typeof CaptureEnd];

export declare const PressureSort: {
  /** the largest of all */
  readonly UNSPECIFIED: 0;
  readonly CPU: 1;
  readonly MEMORY: 2;
  readonly IO: 3;
  readonly IRQ: 4;
};
export type PressureSort = (typeof PressureSort)[keyof typeof PressureSort];

export declare const SequenceAction: {
  /** it had nothing to do */
  readonly NOOP: 0;
  readonly START: 1;
  readonly STOP: 2;
};
export type SequenceAction = (typeof SequenceAction)[keyof typeof SequenceAction];

export declare const StepAction: {
  readonly START: 0;
  readonly STOP: 1;
};
export type StepAction = (typeof StepAction)[keyof typeof StepAction];

export declare const SequenceErrorCode: {
  readonly FATAL: 0;
  /** refused: another sequence runs */
  readonly LOCKED: 1;
  /** another sequence has taken over */
  readonly CANCELED: 2;
};
export type SequenceErrorCode = (typeof SequenceErrorCode)[keyof typeof SequenceErrorCode];

export declare const ServiceAction: {
  readonly INITIALIZED: 0;
  readonly PREPARING: 1;
  readonly WAITING: 2;
  readonly RUNNING: 3;
  readonly STOPPING: 4;
  readonly FINISHED: 5;
  readonly FAILED: 6;
  readonly SKIPPED: 7;
  readonly STARTING: 8;
};
export type ServiceAction = (typeof ServiceAction)[keyof typeof ServiceAction];

export declare const MachineStage: {
  readonly UNKNOWN: 0;
  readonly BOOTING: 1;
  readonly INSTALLING: 2;
  readonly MAINTENANCE: 3;
  readonly RUNNING: 4;
  readonly REBOOTING: 5;
  readonly SHUTTING_DOWN: 6;
  readonly RESETTING: 7;
  readonly UPGRADING: 8;
};
export type MachineStage = (typeof MachineStage)[keyof typeof MachineStage];

export declare const FileType: {
  /** the file system does not say */
  readonly UNSPECIFIED: 0;
  readonly REGULAR: 1;
  readonly DIRECTORY: 2;
  readonly SYMLINK: 3;
  readonly FIFO: 4;
  readonly SOCKET: 5;
  readonly CHARACTER_DEVICE: 6;
  readonly BLOCK_DEVICE: 7;
};
export type FileType = (typeof FileType)[keyof typeof FileType];

export declare const DependencyType: {
  /** nobody else writes them */
  readonly OUTPUT_EXCLUSIVE: 0;
  /** read, and kept from going while in use */
  readonly INPUT_STRONG: 1;
  /** read */
  readonly INPUT_WEAK: 2;
  /** others write such resources, too */
  readonly OUTPUT_SHARED: 3;
  /** destroyed when nobody uses them any more */
  readonly INPUT_DESTROY_READY: 4;
  /** another part of the node, which begins before it and ends behind it */
  readonly NEED: 5;
};
export type DependencyType = (typeof DependencyType)[keyof typeof DependencyType];

export declare const HealthState: {
  readonly UNSPECIFIED: 0;
  readonly OK: 1;
  readonly FAILED: 2;
  /** there is nothing here to look at, or it can't be seen from here */
  readonly SKIPPED: 3;
};
export type HealthState = (typeof HealthState)[keyof typeof HealthState];

export declare const KvstoreAlarmType: {
  readonly UNSPECIFIED: 0;
  readonly NOSPACE: 1;
  readonly CORRUPT: 2;
};
export type KvstoreAlarmType = (typeof KvstoreAlarmType)[keyof typeof KvstoreAlarmType];

export declare const DefragmentState: {
  readonly UNSPECIFIED: 0;
  /** of a dry run: it would be done */
  readonly PLANNED: 1;
  /** others wait for I/O */
  readonly WAITING: 2;
  readonly RUNNING: 3;
  readonly DONE: 4;
  /** it would not pay; `message` says why */
  readonly SKIPPED: 5;
  /** until the cluster is well again */
  readonly SETTLING: 6;
};
export type DefragmentState = (typeof DefragmentState)[keyof typeof DefragmentState];

export declare const DowngradeAction: {
  readonly UNSPECIFIED: 0;
  readonly VALIDATE: 1;
  readonly ENABLE: 2;
  readonly CANCEL: 3;
};
export type DowngradeAction = (typeof DowngradeAction)[keyof typeof DowngradeAction];

export declare const UpgradePhase: {
  readonly UNSPECIFIED: 0;
  readonly PULL: 1;
  readonly VERIFY: 2;
  readonly SPACE: 3;
  readonly WRITE: 4;
  /** what was written is read back */
  readonly PROVE: 5;
  readonly SWITCH: 6;
};
export type UpgradePhase = (typeof UpgradePhase)[keyof typeof UpgradePhase];

export declare const RebootMode: {
  /** in order, and past the firmware where that is proven */
  readonly DEFAULT: 0;
  /** in order, and through the firmware */
  readonly POWERCYCLE: 1;
  /** what was written is synced; nothing else is waited for */
  readonly FORCE: 2;
};
export type RebootMode = (typeof RebootMode)[keyof typeof RebootMode];

export declare const ApplyMode: {
  /** as AUTO */
  readonly UNSPECIFIED: 0;
  /** persist and make active, by whatever means it takes */
  readonly AUTO: 1;
  /** persist and make active; refused when that would take a reboot */
  readonly NO_REBOOT: 2;
  /** persist only; active after the next boot */
  readonly STAGED: 3;
  /** make active only; the configuration before the first try comes back after try_timeout_millis */
  readonly TRY: 4;
};
export type ApplyMode = (typeof ApplyMode)[keyof typeof ApplyMode];

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

export declare const SocketFilter: {
  readonly ALL: 0;
  /** those with a peer */
  readonly CONNECTED: 1;
  /** those without one: also of UDP that take what comes */
  readonly LISTENING: 2;
};
export type SocketFilter = (typeof SocketFilter)[keyof typeof SocketFilter];

/** As inet_sk_state of the kernel counts them. */
export declare const SocketState: {
  readonly RESERVED: 0;
  readonly ESTABLISHED: 1;
  readonly SYN_SENT: 2;
  readonly SYN_RECV: 3;
  readonly FIN_WAIT1: 4;
  readonly FIN_WAIT2: 5;
  readonly TIME_WAIT: 6;
  /** also of UDP and raw sockets without a peer */
  readonly CLOSE: 7;
  readonly CLOSE_WAIT: 8;
  readonly LAST_ACK: 9;
  readonly LISTEN: 10;
  readonly CLOSING: 11;
  readonly NEW_SYN_RECV: 12;
};
export type SocketState = (typeof SocketState)[keyof typeof SocketState];

export declare const SocketTimer: {
  readonly OFF: 0;
  /** something is sent again when it ends */
  readonly ON: 1;
  readonly KEEPALIVE: 2;
  readonly TIMEWAIT: 3;
  /** the peer has no room */
  readonly PROBE: 4;
};
export type SocketTimer = (typeof SocketTimer)[keyof typeof SocketTimer];

export declare const WipeMethod: {
  /** Discards, and zeroes both ends and every signature. */
  readonly FAST: 0;
  /** Zeroes every byte. */
  readonly ZEROES: 1;
};
export type WipeMethod = (typeof WipeMethod)[keyof typeof WipeMethod];

export declare const WipeState: {
  readonly UNSPECIFIED: 0;
  /** of a dry run: it would be done */
  readonly PLANNED: 1;
  readonly RUNNING: 2;
  readonly DONE: 3;
  /** those behind it are untouched */
  readonly FAILED: 4;
};
export type WipeState = (typeof WipeState)[keyof typeof WipeState];

export declare const ResetMode: {
  /** what is the system's, and the disks that are named */
  readonly ALL: 0;
  readonly SYSTEM_DISK: 1;
  readonly USER_DISKS: 2;
};
export type ResetMode = (typeof ResetMode)[keyof typeof ResetMode];

export declare const ResetStep: {
  readonly UNSPECIFIED: 0;
  /** of a dry run: it would be wiped */
  readonly PLANNED: 1;
  /** the kvstore */
  readonly LEAVING: 2;
  /** services end, volumes are unmounted and locked */
  readonly CLOSING: 3;
  readonly WIPING: 4;
  /** the agent or the machine begins anew now */
  readonly DONE: 5;
  readonly FAILED: 6;
};
export type ResetStep = (typeof ResetStep)[keyof typeof ResetStep];

export declare const TrimState: {
  readonly UNSPECIFIED: 0;
  /** of a dry run: it would be done */
  readonly PLANNED: 1;
  /** another trim has one of its disks */
  readonly QUEUED: 2;
  readonly RUNNING: 3;
  /** others wait for I/O */
  readonly PAUSED: 4;
  readonly DONE: 5;
  /** it can't be trimmed as it is; `message` says why */
  readonly SKIPPED: 6;
  readonly FAILED: 7;
};
export type TrimState = (typeof TrimState)[keyof typeof TrimState];

export declare const RotationState: {
  readonly UNSPECIFIED: 0;
  /** of a dry run: it would be done */
  readonly PLANNED: 1;
  /** `message` says which step */
  readonly RUNNING: 2;
  readonly DONE: 3;
  /** nothing to do; `message` says why */
  readonly SKIPPED: 4;
  /** the old key is still in its slot */
  readonly FAILED: 5;
};
export type RotationState = (typeof RotationState)[keyof typeof RotationState];

export type CaptureRequest = {
  /** names, or 'any' alone */
  readonly interfaces: readonly string[];
  readonly promiscuous: boolean;
  /** Bytes kept of each packet; 0: all of it. */
  readonly snapLength: number;
  /** pcap-filter(7), compiled for each interface's link type. Empty: everything. */
  readonly filter: string;
  /** In place of `filter`: what the kernel runs on every interface. */
  readonly instructions: readonly CaptureInstruction[];
  readonly direction: CaptureDirection;
  /** Limits; 0: none. */
  readonly durationMillis: number;
  readonly packets: bigint;
  /** of records: what is sent without the header of the file */
  readonly bytes: bigint;
  readonly format: CaptureFormat;
  /** Otherwise packets from and to the port of this API are left out: each would cause the next one. */
  readonly includeApiTraffic: boolean;
  /** Write on the node and send only progress. */
  readonly file?: CaptureFile;
  /** Say of each packet whose it is, as the comment of its block: pcapng, and packets to the caller only. Names of processes
   * and containers are those of the node. A socket that was gone before anybody looked has none. */
  readonly owners: boolean;
};

/** {@link CaptureRequest} with defaults for what is left out. */
export type CaptureRequestInit = {
  readonly interfaces?: readonly string[] | undefined;
  readonly promiscuous?: boolean | undefined;
  readonly snapLength?: number | undefined;
  readonly filter?: string | undefined;
  readonly instructions?: readonly CaptureInstructionInit[] | undefined;
  readonly direction?: CaptureDirection | undefined;
  readonly durationMillis?: number | undefined;
  readonly packets?: bigint | undefined;
  readonly bytes?: bigint | undefined;
  readonly format?: CaptureFormat | undefined;
  readonly includeApiTraffic?: boolean | undefined;
  readonly file?: CaptureFileInit | undefined;
  readonly owners?: boolean | undefined;
};

export declare const CaptureRequest: Codec<CaptureRequest, CaptureRequestInit>;

/** struct sock_filter */
export type CaptureInstruction = {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
};

/** {@link CaptureInstruction} with defaults for what is left out. */
export type CaptureInstructionInit = {
  readonly code?: number | undefined;
  readonly jt?: number | undefined;
  readonly jf?: number | undefined;
  readonly k?: number | undefined;
};

export declare const CaptureInstruction: Codec<CaptureInstruction, CaptureInstructionInit>;

/** In the directory that the node has for captures. Nothing there is ever overwritten. */
export type CaptureFile = {
  /** 'a.pcap': letters, digits, '.', '_' and '-' */
  readonly name: string;
  /** Go on in the next file before one is larger; names get a number: 'a-00000.pcap'. 0: one file. */
  readonly nextBytes: bigint;
  /** Keep this many, the newest; 0: all. */
  readonly keep: number;
};

/** {@link CaptureFile} with defaults for what is left out. */
export type CaptureFileInit = {
  readonly name?: string | undefined;
  readonly nextBytes?: bigint | undefined;
  readonly keep?: number | undefined;
};

export declare const CaptureFile: Codec<CaptureFile, CaptureFileInit>;

/** Exactly one field is set. */
export type CaptureResponse = {
  readonly start?: CaptureStart;
  /** Whole records. `start.header`, all `data` and `report.trailer`, one after the other, are a file. */
  readonly data: Uint8Array;
  /** when it has changed, at most once per second */
  readonly progress?: CaptureCounts;
  readonly report?: CaptureReport;
};

/** {@link CaptureResponse} with defaults for what is left out. */
export type CaptureResponseInit = {
  readonly start?: CaptureStartInit | undefined;
  readonly data?: Uint8Array | undefined;
  readonly progress?: CaptureCountsInit | undefined;
  readonly report?: CaptureReportInit | undefined;
};

export declare const CaptureResponse: Codec<CaptureResponse, CaptureResponseInit>;

export type CaptureStart = {
  /** for Stop */
  readonly id: string;
  readonly format: CaptureFormat;
  readonly sources: readonly CaptureSource[];
  /** of a file in this format */
  readonly header: Uint8Array;
  /** on the node, when it is written there */
  readonly path: string;
};

/** {@link CaptureStart} with defaults for what is left out. */
export type CaptureStartInit = {
  readonly id?: string | undefined;
  readonly format?: CaptureFormat | undefined;
  readonly sources?: readonly CaptureSourceInit[] | undefined;
  readonly header?: Uint8Array | undefined;
  readonly path?: string | undefined;
};

export declare const CaptureStart: Codec<CaptureStart, CaptureStartInit>;

export type CaptureSource = {
  readonly name: string;
  /** number in capture files */
  readonly linkType: number;
  readonly snapLength: number;
  /** What the kernel runs, as `tcpdump -d` prints it: the filter and what direction and exclusions add to it. */
  readonly program: string;
};

/** {@link CaptureSource} with defaults for what is left out. */
export type CaptureSourceInit = {
  readonly name?: string | undefined;
  readonly linkType?: number | undefined;
  readonly snapLength?: number | undefined;
  readonly program?: string | undefined;
};

export declare const CaptureSource: Codec<CaptureSource, CaptureSourceInit>;

/** `seen` is `received` and `dropped` and what still waits in the ring. */
export type CaptureCounts = {
  /** accepted by the filter */
  readonly seen: bigint;
  /** sent or written */
  readonly received: bigint;
  /** found no room: the caller or the disk was too slow */
  readonly dropped: bigint;
  /** Of those received, longer than the snap length; absent when nobody looked: files on the node. */
  readonly truncated?: bigint;
  /** of the records received */
  readonly bytes: bigint;
};

/** {@link CaptureCounts} with defaults for what is left out. */
export type CaptureCountsInit = {
  readonly seen?: bigint | undefined;
  readonly received?: bigint | undefined;
  readonly dropped?: bigint | undefined;
  readonly truncated?: bigint | undefined;
  readonly bytes?: bigint | undefined;
};

export declare const CaptureCounts: Codec<CaptureCounts, CaptureCountsInit>;

export type CaptureReport = {
  readonly end: CaptureEnd;
  readonly counts?: CaptureCounts;
  /** of a file in this format */
  readonly trailer: Uint8Array;
  /** the last file on the node */
  readonly path: string;
};

/** {@link CaptureReport} with defaults for what is left out. */
export type CaptureReportInit = {
  readonly end?: CaptureEnd | undefined;
  readonly counts?: CaptureCountsInit | undefined;
  readonly trailer?: Uint8Array | undefined;
  readonly path?: string | undefined;
};

export declare const CaptureReport: Codec<CaptureReport, CaptureReportInit>;

export type StopCaptureRequest = {
  readonly id: string;
};

/** {@link StopCaptureRequest} with defaults for what is left out. */
export type StopCaptureRequestInit = {
  readonly id?: string | undefined;
};

export declare const StopCaptureRequest: Codec<StopCaptureRequest, StopCaptureRequestInit>;

export type StopCaptureResponse = {
};

/** {@link StopCaptureResponse} with defaults for what is left out. */
export type StopCaptureResponseInit = {
};

export declare const StopCaptureResponse: Codec<StopCaptureResponse, StopCaptureResponseInit>;

export type CaptureInterfacesRequest = {
};

/** {@link CaptureInterfacesRequest} with defaults for what is left out. */
export type CaptureInterfacesRequestInit = {
};

export declare const CaptureInterfacesRequest: Codec<CaptureInterfacesRequest, CaptureInterfacesRequestInit>;

export type CaptureInterfacesResponse = {
  readonly interfaces: readonly CaptureInterface[];
};

/** {@link CaptureInterfacesResponse} with defaults for what is left out. */
export type CaptureInterfacesResponseInit = {
  readonly interfaces?: readonly CaptureInterfaceInit[] | undefined;
};

export declare const CaptureInterfacesResponse: Codec<CaptureInterfacesResponse, CaptureInterfacesResponseInit>;

export type CaptureInterface = {
  readonly name: string;
  /** 0 for 'any' */
  readonly index: number;
  /** number in capture files */
  readonly linkType: number;
  readonly up: boolean;
  readonly loopback: boolean;
};

/** {@link CaptureInterface} with defaults for what is left out. */
export type CaptureInterfaceInit = {
  readonly name?: string | undefined;
  readonly index?: number | undefined;
  readonly linkType?: number | undefined;
  readonly up?: boolean | undefined;
  readonly loopback?: boolean | undefined;
};

export declare const CaptureInterface: Codec<CaptureInterface, CaptureInterfaceInit>;

export type CaptureFilesRequest = {
};

/** {@link CaptureFilesRequest} with defaults for what is left out. */
export type CaptureFilesRequestInit = {
};

export declare const CaptureFilesRequest: Codec<CaptureFilesRequest, CaptureFilesRequestInit>;

export type CaptureFilesResponse = {
  readonly files: readonly CaptureFileStatus[];
};

/** {@link CaptureFilesResponse} with defaults for what is left out. */
export type CaptureFilesResponseInit = {
  readonly files?: readonly CaptureFileStatusInit[] | undefined;
};

export declare const CaptureFilesResponse: Codec<CaptureFilesResponse, CaptureFilesResponseInit>;

export type CaptureFileStatus = {
  readonly name: string;
  readonly sizeBytes: bigint;
  /** since the epoch */
  readonly modifiedMillis: bigint;
};

/** {@link CaptureFileStatus} with defaults for what is left out. */
export type CaptureFileStatusInit = {
  readonly name?: string | undefined;
  readonly sizeBytes?: bigint | undefined;
  readonly modifiedMillis?: bigint | undefined;
};

export declare const CaptureFileStatus: Codec<CaptureFileStatus, CaptureFileStatusInit>;

export type ReadCaptureFileRequest = {
  readonly name: string;
};

/** {@link ReadCaptureFileRequest} with defaults for what is left out. */
export type ReadCaptureFileRequestInit = {
  readonly name?: string | undefined;
};

export declare const ReadCaptureFileRequest: Codec<ReadCaptureFileRequest, ReadCaptureFileRequestInit>;

export type ReadCaptureFileResponse = {
  readonly data: Uint8Array;
};

/** {@link ReadCaptureFileResponse} with defaults for what is left out. */
export type ReadCaptureFileResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const ReadCaptureFileResponse: Codec<ReadCaptureFileResponse, ReadCaptureFileResponseInit>;

export type RemoveCaptureFileRequest = {
  readonly name: string;
};

/** {@link RemoveCaptureFileRequest} with defaults for what is left out. */
export type RemoveCaptureFileRequestInit = {
  readonly name?: string | undefined;
};

export declare const RemoveCaptureFileRequest: Codec<RemoveCaptureFileRequest, RemoveCaptureFileRequestInit>;

export type RemoveCaptureFileResponse = {
};

/** {@link RemoveCaptureFileResponse} with defaults for what is left out. */
export type RemoveCaptureFileResponseInit = {
};

export declare const RemoveCaptureFileResponse: Codec<RemoveCaptureFileResponse, RemoveCaptureFileResponseInit>;

export type ReadCgroupsRequest = {
  /** 'cpu.stat', 'memory.current': names of files; other cgroup files than these are not read. */
  readonly files: readonly string[];
  /** The cgroup to begin at, '/system.slice'; empty: the root of the hierarchy. */
  readonly cgroup: string;
  /** Say which unit, pod or container stands behind each cgroup. */
  readonly names: boolean;
  /** Name the processes, and not only count them. */
  readonly processes: boolean;
};

/** {@link ReadCgroupsRequest} with defaults for what is left out. */
export type ReadCgroupsRequestInit = {
  readonly files?: readonly string[] | undefined;
  readonly cgroup?: string | undefined;
  readonly names?: boolean | undefined;
  readonly processes?: boolean | undefined;
};

export declare const ReadCgroupsRequest: Codec<ReadCgroupsRequest, ReadCgroupsRequestInit>;

export type WatchCgroupsRequest = {
  readonly what?: ReadCgroupsRequest;
  /** 100 at least; 0: 1000 */
  readonly intervalMillis: number;
};

/** {@link WatchCgroupsRequest} with defaults for what is left out. */
export type WatchCgroupsRequestInit = {
  readonly what?: ReadCgroupsRequestInit | undefined;
  readonly intervalMillis?: number | undefined;
};

export declare const WatchCgroupsRequest: Codec<WatchCgroupsRequest, WatchCgroupsRequestInit>;

/** Exactly one field is set: start, then for each sample any number of `cgroups` and one `sample`. */
export type CgroupsResponse = {
  readonly start?: CgroupsStart;
  readonly cgroups?: Cgroups;
  readonly sample?: CgroupSample;
};

/** {@link CgroupsResponse} with defaults for what is left out. */
export type CgroupsResponseInit = {
  readonly start?: CgroupsStartInit | undefined;
  readonly cgroups?: CgroupsInit | undefined;
  readonly sample?: CgroupSampleInit | undefined;
};

export declare const CgroupsResponse: Codec<CgroupsResponse, CgroupsResponseInit>;

export type CgroupsStart = {
  /** where the hierarchy is mounted */
  readonly directory: string;
  /** as they are numbered from now on */
  readonly files: readonly string[];
  /** Controllers that a cgroup v1 hierarchy has, and this one therefore lacks. */
  readonly elsewhere: readonly string[];
  /** of a watch */
  readonly intervalMillis: number;
};

/** {@link CgroupsStart} with defaults for what is left out. */
export type CgroupsStartInit = {
  readonly directory?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly elsewhere?: readonly string[] | undefined;
  readonly intervalMillis?: number | undefined;
};

export declare const CgroupsStart: Codec<CgroupsStart, CgroupsStartInit>;

export type Cgroups = {
  readonly cgroups: readonly Cgroup[];
};

/** {@link Cgroups} with defaults for what is left out. */
export type CgroupsInit = {
  readonly cgroups?: readonly CgroupInit[] | undefined;
};

export declare const Cgroups: Codec<Cgroups, CgroupsInit>;

/** The end of a sample. */
export type CgroupSample = {
  /** how many there are */
  readonly cgroups: number;
  /** ids of those that there were in the sample before */
  readonly gone: readonly number[];
  /** that files of this sample mention, and none before */
  readonly devices: readonly BlockDevice[];
};

/** {@link CgroupSample} with defaults for what is left out. */
export type CgroupSampleInit = {
  readonly cgroups?: number | undefined;
  readonly gone?: readonly number[] | undefined;
  readonly devices?: readonly BlockDeviceInit[] | undefined;
};

export declare const CgroupSample: Codec<CgroupSample, CgroupSampleInit>;

export type BlockDevice = {
  /** '8:0' */
  readonly number: string;
  /** 'sda' */
  readonly name: string;
};

/** {@link BlockDevice} with defaults for what is left out. */
export type BlockDeviceInit = {
  readonly number?: string | undefined;
  readonly name?: string | undefined;
};

export declare const BlockDevice: Codec<BlockDevice, BlockDeviceInit>;

/** In later samples of a watch only those of which something has changed. */
export type Cgroup = {
  /** in this call; one that is removed and made again gets another */
  readonly id: number;
  /** '/system.slice/sshd.service', from the root of the hierarchy */
  readonly path: string;
  /** CLOCK_MONOTONIC, before its first file was read */
  readonly takenNanos: bigint;
  /** Since it was read before; 0: it was not, and there are no rates. */
  readonly elapsedNanos: bigint;
  /** Those that are there and, in later samples, are not as they were. */
  readonly files: readonly CgroupFile[];
  /** where somebody knows, and when it appears */
  readonly name?: CgroupName;
  /** by name, of those that `cgroup.procs` in `files` has */
  readonly processes: readonly string[];
};

/** {@link Cgroup} with defaults for what is left out. */
export type CgroupInit = {
  readonly id?: number | undefined;
  readonly path?: string | undefined;
  readonly takenNanos?: bigint | undefined;
  readonly elapsedNanos?: bigint | undefined;
  readonly files?: readonly CgroupFileInit[] | undefined;
  readonly name?: CgroupNameInit | undefined;
  readonly processes?: readonly string[] | undefined;
};

export declare const Cgroup: Codec<Cgroup, CgroupInit>;

export type CgroupFile = {
  /** its place in start.files */
  readonly file: number;
  /** as the kernel gave it, whatever its length */
  readonly text: string;
  /** Errno of a file that is there but can't be read: 95 (EOPNOTSUPP) for pressure that is switched off. */
  readonly errno: number;
  /** it was there, and is no more */
  readonly absent: boolean;
  /** of counters that have changed; those of others are 0 */
  readonly rates: readonly CounterRate[];
};

/** {@link CgroupFile} with defaults for what is left out. */
export type CgroupFileInit = {
  readonly file?: number | undefined;
  readonly text?: string | undefined;
  readonly errno?: number | undefined;
  readonly absent?: boolean | undefined;
  readonly rates?: readonly CounterRateInit[] | undefined;
};

export declare const CgroupFile: Codec<CgroupFile, CgroupFileInit>;

export type CounterRate = {
  /** The line and, in files with several values per line, the value: 'usage_usec', '8:0 rbytes', 'some total'. */
  readonly counter: string;
  /** over elapsed_nanos */
  readonly perSecond: number;
  /** it began anew: there is no rate */
  readonly reset: boolean;
};

/** {@link CounterRate} with defaults for what is left out. */
export type CounterRateInit = {
  readonly counter?: string | undefined;
  readonly perSecond?: number | undefined;
  readonly reset?: boolean | undefined;
};

export declare const CounterRate: Codec<CounterRate, CounterRateInit>;

export type CgroupName = {
  /** 'unit', 'slice', 'scope', 'pod', 'container' */
  readonly kind: string;
  /** to show: 'sshd.service', 'kube-system/coredns' */
  readonly name: string;
  /** the unit's name, the pod's UID, the container's id */
  readonly id: string;
  /** 'containerd', 'cri-o', 'docker', 'podman', when the path tells */
  readonly runtime: string;
};

/** {@link CgroupName} with defaults for what is left out. */
export type CgroupNameInit = {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly runtime?: string | undefined;
};

export declare const CgroupName: Codec<CgroupName, CgroupNameInit>;

export type PressureRequest = {
  /** How many cgroups, those first that stall most, of those without children: that is where processes are. 0: none. */
  readonly top: number;
  readonly sort: PressureSort;
  /** 0: once; otherwise 100 at least. */
  readonly intervalMillis: number;
  /** as in ReadCgroupsRequest */
  readonly names: boolean;
};

/** {@link PressureRequest} with defaults for what is left out. */
export type PressureRequestInit = {
  readonly top?: number | undefined;
  readonly sort?: PressureSort | undefined;
  readonly intervalMillis?: number | undefined;
  readonly names?: boolean | undefined;
};

export declare const PressureRequest: Codec<PressureRequest, PressureRequestInit>;

export type PressureResponse = {
  readonly system?: PressureReading;
  /** stalled most first */
  readonly cgroups: readonly CgroupPressure[];
  /** how many cgroups there are */
  readonly total: number;
};

/** {@link PressureResponse} with defaults for what is left out. */
export type PressureResponseInit = {
  readonly system?: PressureReadingInit | undefined;
  readonly cgroups?: readonly CgroupPressureInit[] | undefined;
  readonly total?: number | undefined;
};

export declare const PressureResponse: Codec<PressureResponse, PressureResponseInit>;

export type CgroupPressure = {
  readonly path: string;
  readonly name?: CgroupName;
  readonly pressure?: PressureReading;
};

/** {@link CgroupPressure} with defaults for what is left out. */
export type CgroupPressureInit = {
  readonly path?: string | undefined;
  readonly name?: CgroupNameInit | undefined;
  readonly pressure?: PressureReadingInit | undefined;
};

export declare const CgroupPressure: Codec<CgroupPressure, CgroupPressureInit>;

/** What the kernel doesn't account is absent. */
export type PressureReading = {
  readonly cpu?: ResourcePressure;
  readonly memory?: ResourcePressure;
  readonly io?: ResourcePressure;
  /** has no `some` */
  readonly irq?: ResourcePressure;
};

/** {@link PressureReading} with defaults for what is left out. */
export type PressureReadingInit = {
  readonly cpu?: ResourcePressureInit | undefined;
  readonly memory?: ResourcePressureInit | undefined;
  readonly io?: ResourcePressureInit | undefined;
  readonly irq?: ResourcePressureInit | undefined;
};

export declare const PressureReading: Codec<PressureReading, PressureReadingInit>;

export type ResourcePressure = {
  /** at least one task waits */
  readonly some?: PressureLine;
  /** all of them do */
  readonly full?: PressureLine;
};

/** {@link ResourcePressure} with defaults for what is left out. */
export type ResourcePressureInit = {
  readonly some?: PressureLineInit | undefined;
  readonly full?: PressureLineInit | undefined;
};

export declare const ResourcePressure: Codec<ResourcePressure, ResourcePressureInit>;

export type PressureLine = {
  /** Percent of the last 10, 60 and 300 seconds. */
  readonly avg10: number;
  readonly avg60: number;
  readonly avg300: number;
  readonly totalMicros: bigint;
  /** Percent of the time since the response before; absent in the first. */
  readonly recent?: number;
};

/** {@link PressureLine} with defaults for what is left out. */
export type PressureLineInit = {
  readonly avg10?: number | undefined;
  readonly avg60?: number | undefined;
  readonly avg300?: number | undefined;
  readonly totalMicros?: bigint | undefined;
  readonly recent?: number | undefined;
};

export declare const PressureLine: Codec<PressureLine, PressureLineInit>;

export type ContainersRequest = {
  /** 'system', 'cri' or 'taloscontainers' */
  readonly namespace: string;
};

/** {@link ContainersRequest} with defaults for what is left out. */
export type ContainersRequestInit = {
  readonly namespace?: string | undefined;
};

export declare const ContainersRequest: Codec<ContainersRequest, ContainersRequestInit>;

export type ContainersResponse = {
  /** by id */
  readonly containers: readonly ContainerInfo[];
};

/** {@link ContainersResponse} with defaults for what is left out. */
export type ContainersResponseInit = {
  readonly containers?: readonly ContainerInfoInit[] | undefined;
};

export declare const ContainersResponse: Codec<ContainersResponse, ContainersResponseInit>;

export type ContainerInfo = {
  readonly namespace: string;
  /** of a pod 'namespace/pod', of a container in it 'namespace/pod:name:0123456789ab' */
  readonly id: string;
  readonly image: string;
  /** 0: does not run */
  readonly pid: number;
  readonly status: string;
  readonly podId: string;
  readonly name: string;
  readonly networkNamespace: string;
  readonly internalId: string;
  readonly uid: string;
};

/** {@link ContainerInfo} with defaults for what is left out. */
export type ContainerInfoInit = {
  readonly namespace?: string | undefined;
  readonly id?: string | undefined;
  readonly image?: string | undefined;
  readonly pid?: number | undefined;
  readonly status?: string | undefined;
  readonly podId?: string | undefined;
  readonly name?: string | undefined;
  readonly networkNamespace?: string | undefined;
  readonly internalId?: string | undefined;
  readonly uid?: string | undefined;
};

export declare const ContainerInfo: Codec<ContainerInfo, ContainerInfoInit>;

export type ContainerStatsRequest = {
  readonly namespace: string;
};

/** {@link ContainerStatsRequest} with defaults for what is left out. */
export type ContainerStatsRequestInit = {
  readonly namespace?: string | undefined;
};

export declare const ContainerStatsRequest: Codec<ContainerStatsRequest, ContainerStatsRequestInit>;

export type ContainerStatsResponse = {
  /** by id */
  readonly stats: readonly ContainerStat[];
};

/** {@link ContainerStatsResponse} with defaults for what is left out. */
export type ContainerStatsResponseInit = {
  readonly stats?: readonly ContainerStatInit[] | undefined;
};

export declare const ContainerStatsResponse: Codec<ContainerStatsResponse, ContainerStatsResponseInit>;

export type ContainerStat = {
  readonly namespace: string;
  readonly id: string;
  /** without what the kernel can drop */
  readonly memoryBytes: bigint;
  /** since it was started */
  readonly cpuNanos: bigint;
  readonly podId: string;
  readonly name: string;
};

/** {@link ContainerStat} with defaults for what is left out. */
export type ContainerStatInit = {
  readonly namespace?: string | undefined;
  readonly id?: string | undefined;
  readonly memoryBytes?: bigint | undefined;
  readonly cpuNanos?: bigint | undefined;
  readonly podId?: string | undefined;
  readonly name?: string | undefined;
};

export declare const ContainerStat: Codec<ContainerStat, ContainerStatInit>;

export type ImageListRequest = {
  readonly namespace: string;
};

/** {@link ImageListRequest} with defaults for what is left out. */
export type ImageListRequestInit = {
  readonly namespace?: string | undefined;
};

export declare const ImageListRequest: Codec<ImageListRequest, ImageListRequestInit>;

export type ImageListResponse = {
  readonly images: readonly ImageInfo[];
};

/** {@link ImageListResponse} with defaults for what is left out. */
export type ImageListResponseInit = {
  readonly images?: readonly ImageInfoInit[] | undefined;
};

export declare const ImageListResponse: Codec<ImageListResponse, ImageListResponseInit>;

export type ImageInfo = {
  readonly name: string;
  readonly digest: string;
  readonly sizeBytes?: bigint;
  /** since the Unix epoch */
  readonly createdMillis: bigint;
  readonly labels: Readonly<Record<string, string>>;
};

/** {@link ImageInfo} with defaults for what is left out. */
export type ImageInfoInit = {
  readonly name?: string | undefined;
  readonly digest?: string | undefined;
  readonly sizeBytes?: bigint | undefined;
  readonly createdMillis?: bigint | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
};

export declare const ImageInfo: Codec<ImageInfo, ImageInfoInit>;

export type ImagePullRequest = {
  readonly namespace: string;
  /** 'docker.io/library/nginx:latest' */
  readonly reference: string;
};

/** {@link ImagePullRequest} with defaults for what is left out. */
export type ImagePullRequestInit = {
  readonly namespace?: string | undefined;
  readonly reference?: string | undefined;
};

export declare const ImagePullRequest: Codec<ImagePullRequest, ImagePullRequestInit>;

export type ImagePullResponse = {
  readonly layers: readonly ImageLayerProgress[];
  readonly name: string;
};

/** {@link ImagePullResponse} with defaults for what is left out. */
export type ImagePullResponseInit = {
  readonly layers?: readonly ImageLayerProgressInit[] | undefined;
  readonly name?: string | undefined;
};

export declare const ImagePullResponse: Codec<ImagePullResponse, ImagePullResponseInit>;

export type ImageLayerProgress = {
  readonly id: string;
  /** 'downloading', 'downloaded', 'extracting', 'extracted', 'exists' */
  readonly status: string;
  readonly offsetBytes: bigint;
  readonly totalBytes: bigint;
};

/** {@link ImageLayerProgress} with defaults for what is left out. */
export type ImageLayerProgressInit = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly offsetBytes?: bigint | undefined;
  readonly totalBytes?: bigint | undefined;
};

export declare const ImageLayerProgress: Codec<ImageLayerProgress, ImageLayerProgressInit>;

export type ImageImportRequest = {
  readonly namespace: string;
  readonly data: Uint8Array;
};

/** {@link ImageImportRequest} with defaults for what is left out. */
export type ImageImportRequestInit = {
  readonly namespace?: string | undefined;
  readonly data?: Uint8Array | undefined;
};

export declare const ImageImportRequest: Codec<ImageImportRequest, ImageImportRequestInit>;

export type ImageImportResponse = {
  readonly name: string;
};

/** {@link ImageImportResponse} with defaults for what is left out. */
export type ImageImportResponseInit = {
  readonly name?: string | undefined;
};

export declare const ImageImportResponse: Codec<ImageImportResponse, ImageImportResponseInit>;

export type ImageRemoveRequest = {
  readonly namespace: string;
  readonly reference: string;
};

/** {@link ImageRemoveRequest} with defaults for what is left out. */
export type ImageRemoveRequestInit = {
  readonly namespace?: string | undefined;
  readonly reference?: string | undefined;
};

export declare const ImageRemoveRequest: Codec<ImageRemoveRequest, ImageRemoveRequestInit>;

export type ImageRemoveResponse = {
};

/** {@link ImageRemoveResponse} with defaults for what is left out. */
export type ImageRemoveResponseInit = {
};

export declare const ImageRemoveResponse: Codec<ImageRemoveResponse, ImageRemoveResponseInit>;

export type EventsRequest = {
  /** How many events of the past come first; -1: all that are kept. Only one of the three ways into the past. */
  readonly tailEvents: number;
  /** Go on behind this event, also when it is of another boot. One that is not kept any more is OUT_OF_RANGE. */
  readonly tailId: string;
  /** Events of the past so many seconds come first. */
  readonly tailSeconds: number;
  /** Only what this call, or this sequence, has caused. */
  readonly withActorId: string;
  /** End where the future begins. */
  readonly pastOnly: boolean;
};

/** {@link EventsRequest} with defaults for what is left out. */
export type EventsRequestInit = {
  readonly tailEvents?: number | undefined;
  readonly tailId?: string | undefined;
  readonly tailSeconds?: number | undefined;
  readonly withActorId?: string | undefined;
  readonly pastOnly?: boolean | undefined;
};

export declare const EventsRequest: Codec<EventsRequest, EventsRequestInit>;

export type EventsResponse = {
  readonly events: readonly NodeEvent[];
  /** Where to go on: the `tail_id` of a request that misses nothing. Empty while the node has no event at all. */
  readonly cursor: string;
};

/** {@link EventsResponse} with defaults for what is left out. */
export type EventsResponseInit = {
  readonly events?: readonly NodeEventInit[] | undefined;
  readonly cursor?: string | undefined;
};

export declare const EventsResponse: Codec<EventsResponse, EventsResponseInit>;

export type PublishRequest = {
  /** In their order; the first one says with `lost` how many before it were never sent. */
  readonly events: readonly NodeEvent[];
  /** What the node is called, when it has a name. */
  readonly hostname: string;
};

/** {@link PublishRequest} with defaults for what is left out. */
export type PublishRequestInit = {
  readonly events?: readonly NodeEventInit[] | undefined;
  readonly hostname?: string | undefined;
};

export declare const PublishRequest: Codec<PublishRequest, PublishRequestInit>;

export type PublishResponse = {
};

/** {@link PublishResponse} with defaults for what is left out. */
export type PublishResponseInit = {
};

export declare const PublishResponse: Codec<PublishResponse, PublishResponseInit>;

/** One thing that happened. */
export type NodeEvent = {
  readonly data?: EventData;
  /** 20 characters; later events have larger ones. */
  readonly id: string;
  /** Of the call or the sequence that is the cause; empty: nobody asked for it. */
  readonly actorId: string;
  readonly bootId: string;
  /** since the Unix epoch, by the clock that the node had then */
  readonly timeMillis: bigint;
  /** How many events between the one before and this one nobody could keep. */
  readonly lost: bigint;
};

/** {@link NodeEvent} with defaults for what is left out. */
export type NodeEventInit = {
  readonly data?: EventDataInit | undefined;
  readonly id?: string | undefined;
  readonly actorId?: string | undefined;
  readonly bootId?: string | undefined;
  readonly timeMillis?: bigint | undefined;
  readonly lost?: bigint | undefined;
};

export declare const NodeEvent: Codec<NodeEvent, NodeEventInit>;

/** One of these. */
export type EventData = {
  readonly sequence?: SequenceEvent;
  readonly phase?: PhaseEvent;
  readonly task?: TaskEvent;
  readonly service?: ServiceStateEvent;
  readonly restart?: RestartEvent;
  readonly configLoadError?: ConfigLoadErrorEvent;
  readonly configValidationError?: ConfigValidationErrorEvent;
  readonly address?: AddressEvent;
  readonly machineStatus?: MachineStatusEvent;
};

/** {@link EventData} with defaults for what is left out. */
export type EventDataInit = {
  readonly sequence?: SequenceEventInit | undefined;
  readonly phase?: PhaseEventInit | undefined;
  readonly task?: TaskEventInit | undefined;
  readonly service?: ServiceStateEventInit | undefined;
  readonly restart?: RestartEventInit | undefined;
  readonly configLoadError?: ConfigLoadErrorEventInit | undefined;
  readonly configValidationError?: ConfigValidationErrorEventInit | undefined;
  readonly address?: AddressEventInit | undefined;
  readonly machineStatus?: MachineStatusEventInit | undefined;
};

export declare const EventData: Codec<EventData, EventDataInit>;

export type SequenceError = {
  readonly code: SequenceErrorCode;
  readonly message: string;
};

/** {@link SequenceError} with defaults for what is left out. */
export type SequenceErrorInit = {
  readonly code?: SequenceErrorCode | undefined;
  readonly message?: string | undefined;
};

export declare const SequenceError: Codec<SequenceError, SequenceErrorInit>;

/** What the machine as a whole is on its way to. */
export type SequenceEvent = {
  /** 'boot', 'reboot', 'upgrade' */
  readonly sequence: string;
  readonly action: SequenceAction;
  /** of a STOP that is no success */
  readonly error?: SequenceError;
};

/** {@link SequenceEvent} with defaults for what is left out. */
export type SequenceEventInit = {
  readonly sequence?: string | undefined;
  readonly action?: SequenceAction | undefined;
  readonly error?: SequenceErrorInit | undefined;
};

export declare const SequenceEvent: Codec<SequenceEvent, SequenceEventInit>;

/** A part of a sequence; parts follow each other. */
export type PhaseEvent = {
  readonly phase: string;
  readonly action: StepAction;
};

/** {@link PhaseEvent} with defaults for what is left out. */
export type PhaseEventInit = {
  readonly phase?: string | undefined;
  readonly action?: StepAction | undefined;
};

export declare const PhaseEvent: Codec<PhaseEvent, PhaseEventInit>;

/** A part of a phase. */
export type TaskEvent = {
  readonly task: string;
  readonly action: StepAction;
};

/** {@link TaskEvent} with defaults for what is left out. */
export type TaskEventInit = {
  readonly task?: string | undefined;
  readonly action?: StepAction | undefined;
};

export declare const TaskEvent: Codec<TaskEvent, TaskEventInit>;

export type EventServiceHealth = {
  readonly unknown: boolean;
  readonly healthy: boolean;
  readonly lastMessage: string;
  readonly lastChangeMillis: bigint;
};

/** {@link EventServiceHealth} with defaults for what is left out. */
export type EventServiceHealthInit = {
  readonly unknown?: boolean | undefined;
  readonly healthy?: boolean | undefined;
  readonly lastMessage?: string | undefined;
  readonly lastChangeMillis?: bigint | undefined;
};

export declare const EventServiceHealth: Codec<EventServiceHealth, EventServiceHealthInit>;

/** A program of the node is in another state. */
export type ServiceStateEvent = {
  readonly service: string;
  readonly action: ServiceAction;
  readonly message: string;
  readonly health?: EventServiceHealth;
};

/** {@link ServiceStateEvent} with defaults for what is left out. */
export type ServiceStateEventInit = {
  readonly service?: string | undefined;
  readonly action?: ServiceAction | undefined;
  readonly message?: string | undefined;
  readonly health?: EventServiceHealthInit | undefined;
};

export declare const ServiceStateEvent: Codec<ServiceStateEvent, ServiceStateEventInit>;

/** The machine ends. */
export type RestartEvent = {
  /** of reboot(2) */
  readonly cmd: bigint;
  /** why a reboot goes through the firmware that might have gone past it; empty for any other */
  readonly reason: string;
};

/** {@link RestartEvent} with defaults for what is left out. */
export type RestartEventInit = {
  readonly cmd?: bigint | undefined;
  readonly reason?: string | undefined;
};

export declare const RestartEvent: Codec<RestartEvent, RestartEventInit>;

/** The configuration that the node remembers can not be used. */
export type ConfigLoadErrorEvent = {
  readonly error: string;
};

/** {@link ConfigLoadErrorEvent} with defaults for what is left out. */
export type ConfigLoadErrorEventInit = {
  readonly error?: string | undefined;
};

export declare const ConfigLoadErrorEvent: Codec<ConfigLoadErrorEvent, ConfigLoadErrorEventInit>;

/** Somebody has brought a configuration that can not be used. */
export type ConfigValidationErrorEvent = {
  readonly error: string;
};

/** {@link ConfigValidationErrorEvent} with defaults for what is left out. */
export type ConfigValidationErrorEventInit = {
  readonly error?: string | undefined;
};

export declare const ConfigValidationErrorEvent: Codec<ConfigValidationErrorEvent, ConfigValidationErrorEventInit>;

/** By which name and addresses others reach the node. */
export type AddressEvent = {
  readonly hostname: string;
  readonly addresses: readonly string[];
};

/** {@link AddressEvent} with defaults for what is left out. */
export type AddressEventInit = {
  readonly hostname?: string | undefined;
  readonly addresses?: readonly string[] | undefined;
};

export declare const AddressEvent: Codec<AddressEvent, AddressEventInit>;

export type EventUnmetCondition = {
  readonly name: string;
  readonly reason: string;
};

/** {@link EventUnmetCondition} with defaults for what is left out. */
export type EventUnmetConditionInit = {
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
};

export declare const EventUnmetCondition: Codec<EventUnmetCondition, EventUnmetConditionInit>;

export type EventMachineReadiness = {
  readonly ready: boolean;
  readonly unmetConditions: readonly EventUnmetCondition[];
};

/** {@link EventMachineReadiness} with defaults for what is left out. */
export type EventMachineReadinessInit = {
  readonly ready?: boolean | undefined;
  readonly unmetConditions?: readonly EventUnmetConditionInit[] | undefined;
};

export declare const EventMachineReadiness: Codec<EventMachineReadiness, EventMachineReadinessInit>;

/** The machine is in another stage, or lacks something else. */
export type MachineStatusEvent = {
  readonly stage: MachineStage;
  readonly status?: EventMachineReadiness;
};

/** {@link MachineStatusEvent} with defaults for what is left out. */
export type MachineStatusEventInit = {
  readonly stage?: MachineStage | undefined;
  readonly status?: EventMachineReadinessInit | undefined;
};

export declare const MachineStatusEvent: Codec<MachineStatusEvent, MachineStatusEventInit>;

export type ListFilesRequest = {
  readonly root: Uint8Array;
  /** levels below the root; 0: all of them */
  readonly depth: number;
  /** none: every type */
  readonly types: readonly FileType[];
  /** more than names and types */
  readonly details: boolean;
  /** without what other file systems hold */
  readonly oneFileSystem: boolean;
};

/** {@link ListFilesRequest} with defaults for what is left out. */
export type ListFilesRequestInit = {
  readonly root?: Uint8Array | undefined;
  readonly depth?: number | undefined;
  readonly types?: readonly FileType[] | undefined;
  readonly details?: boolean | undefined;
  readonly oneFileSystem?: boolean | undefined;
};

export declare const ListFilesRequest: Codec<ListFilesRequest, ListFilesRequestInit>;

export type ListFilesResponse = {
  /** A FileBatch: it is made where the tree is read, 256 KiB at a time. */
  readonly data: Uint8Array;
};

/** {@link ListFilesResponse} with defaults for what is left out. */
export type ListFilesResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const ListFilesResponse: Codec<ListFilesResponse, ListFilesResponseInit>;

export type FileBatch = {
  /** Those of a directory in the order of their bytes, unless it has more than 65536. */
  readonly entries: readonly FileEntry[];
  readonly failures: readonly FileFailure[];
};

/** {@link FileBatch} with defaults for what is left out. */
export type FileBatchInit = {
  readonly entries?: readonly FileEntryInit[] | undefined;
  readonly failures?: readonly FileFailureInit[] | undefined;
};

export declare const FileBatch: Codec<FileBatch, FileBatchInit>;

export type FileEntry = {
  /** below the root; empty: the root itself */
  readonly path: Uint8Array;
  readonly type: FileType;
  /** Details; none without them. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** bytes that it says it has */
  readonly size: bigint;
  /** bytes that it takes */
  readonly diskBytes: bigint;
  /** since the Unix epoch */
  readonly modifiedSeconds: bigint;
  /** on top of them */
  readonly modifiedNanos: number;
  readonly links: bigint;
  readonly inode: bigint;
  /** of a device */
  readonly deviceMajor: number;
  readonly deviceMinor: number;
  /** of a symbolic link */
  readonly target: Uint8Array;
  /** security.selinux */
  readonly label: string;
  /** names of its other extended attributes */
  readonly attributes: readonly string[];
};

/** {@link FileEntry} with defaults for what is left out. */
export type FileEntryInit = {
  readonly path?: Uint8Array | undefined;
  readonly type?: FileType | undefined;
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly size?: bigint | undefined;
  readonly diskBytes?: bigint | undefined;
  readonly modifiedSeconds?: bigint | undefined;
  readonly modifiedNanos?: number | undefined;
  readonly links?: bigint | undefined;
  readonly inode?: bigint | undefined;
  readonly deviceMajor?: number | undefined;
  readonly deviceMinor?: number | undefined;
  readonly target?: Uint8Array | undefined;
  readonly label?: string | undefined;
  readonly attributes?: readonly string[] | undefined;
};

export declare const FileEntry: Codec<FileEntry, FileEntryInit>;

/** What can't be looked at, or not to its end. */
export type FileFailure = {
  /** as that of the entries around it; of Usage, absolute */
  readonly path: Uint8Array;
  /** name of an errno: 'EACCES' */
  readonly error: string;
  /** what the kernel refused: 'open' */
  readonly call: string;
};

/** {@link FileFailure} with defaults for what is left out. */
export type FileFailureInit = {
  readonly path?: Uint8Array | undefined;
  readonly error?: string | undefined;
  readonly call?: string | undefined;
};

export declare const FileFailure: Codec<FileFailure, FileFailureInit>;

export type FileUsageRequest = {
  /** 1 to 1000 */
  readonly paths: readonly Uint8Array[];
  /** levels below each path that have rows of their own */
  readonly depth: number;
  /** rows for files, too, not only for directories */
  readonly all: boolean;
  /** only rows of so many bytes at least; negative: at most */
  readonly threshold: bigint;
  /** the threshold is about apparent sizes */
  readonly apparent: boolean;
  readonly oneFileSystem: boolean;
};

/** {@link FileUsageRequest} with defaults for what is left out. */
export type FileUsageRequestInit = {
  readonly paths?: readonly Uint8Array[] | undefined;
  readonly depth?: number | undefined;
  readonly all?: boolean | undefined;
  readonly threshold?: bigint | undefined;
  readonly apparent?: boolean | undefined;
  readonly oneFileSystem?: boolean | undefined;
};

export declare const FileUsageRequest: Codec<FileUsageRequest, FileUsageRequestInit>;

export type FileUsageResponse = {
  /** A FileUsageBatch. */
  readonly data: Uint8Array;
};

/** {@link FileUsageResponse} with defaults for what is left out. */
export type FileUsageResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const FileUsageResponse: Codec<FileUsageResponse, FileUsageResponseInit>;

export type FileUsageBatch = {
  /** a directory behind what is in it */
  readonly rows: readonly FileUsage[];
  readonly failures: readonly FileFailure[];
};

/** {@link FileUsageBatch} with defaults for what is left out. */
export type FileUsageBatchInit = {
  readonly rows?: readonly FileUsageInit[] | undefined;
  readonly failures?: readonly FileFailureInit[] | undefined;
};

export declare const FileUsageBatch: Codec<FileUsageBatch, FileUsageBatchInit>;

export type FileUsage = {
  readonly path: Uint8Array;
  readonly type: FileType;
  /** of blocks, those of directories with them */
  readonly diskBytes: bigint;
  /** what reading the files and links would give */
  readonly apparentBytes: bigint;
  /** how many it counts, with directories */
  readonly files: bigint;
};

/** {@link FileUsage} with defaults for what is left out. */
export type FileUsageInit = {
  readonly path?: Uint8Array | undefined;
  readonly type?: FileType | undefined;
  readonly diskBytes?: bigint | undefined;
  readonly apparentBytes?: bigint | undefined;
  readonly files?: bigint | undefined;
};

export declare const FileUsage: Codec<FileUsage, FileUsageInit>;

export type ReadFileRequest = {
  readonly path: Uint8Array;
  /** bytes; negative: so many before the end */
  readonly offset: bigint;
  /** bytes at most; absent: to the end */
  readonly length?: bigint;
  /** at the end, wait for more; a file that takes the name is read from its beginning */
  readonly follow: boolean;
};

/** {@link ReadFileRequest} with defaults for what is left out. */
export type ReadFileRequestInit = {
  readonly path?: Uint8Array | undefined;
  readonly offset?: bigint | undefined;
  readonly length?: bigint | undefined;
  readonly follow?: boolean | undefined;
};

export declare const ReadFileRequest: Codec<ReadFileRequest, ReadFileRequestInit>;

export type ReadFileResponse = {
  readonly data: Uint8Array;
};

/** {@link ReadFileResponse} with defaults for what is left out. */
export type ReadFileResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const ReadFileResponse: Codec<ReadFileResponse, ReadFileResponseInit>;

export type CopyFilesRequest = {
  readonly root: Uint8Array;
  readonly oneFileSystem: boolean;
};

/** {@link CopyFilesRequest} with defaults for what is left out. */
export type CopyFilesRequestInit = {
  readonly root?: Uint8Array | undefined;
  readonly oneFileSystem?: boolean | undefined;
};

export declare const CopyFilesRequest: Codec<CopyFilesRequest, CopyFilesRequestInit>;

export type CopyFilesResponse = {
  /** All of them, one after the other, are the archive. Paths are those below the root, which is './'; of a file, its name. */
  readonly data: Uint8Array;
  /** the last answer */
  readonly report?: CopyReport;
};

/** {@link CopyFilesResponse} with defaults for what is left out. */
export type CopyFilesResponseInit = {
  readonly data?: Uint8Array | undefined;
  readonly report?: CopyReportInit | undefined;
};

export declare const CopyFilesResponse: Codec<CopyFilesResponse, CopyFilesResponseInit>;

export type CopyReport = {
  /** in the archive */
  readonly files: bigint;
  /** of their contents */
  readonly bytes: bigint;
  /** left out: tar has none */
  readonly sockets: bigint;
  /** left out, or filled with zeros where a file has shrunk */
  readonly failed: bigint;
  /** the first 1000 of them */
  readonly failures: readonly FileFailure[];
};

/** {@link CopyReport} with defaults for what is left out. */
export type CopyReportInit = {
  readonly files?: bigint | undefined;
  readonly bytes?: bigint | undefined;
  readonly sockets?: bigint | undefined;
  readonly failed?: bigint | undefined;
  readonly failures?: readonly FileFailureInit[] | undefined;
};

export declare const CopyReport: Codec<CopyReport, CopyReportInit>;

export type ControllerRuntimeDependenciesRequest = {
};

/** {@link ControllerRuntimeDependenciesRequest} with defaults for what is left out. */
export type ControllerRuntimeDependenciesRequestInit = {
};

export declare const ControllerRuntimeDependenciesRequest: Codec<ControllerRuntimeDependenciesRequest, ControllerRuntimeDependenciesRequestInit>;

export type ControllerRuntimeDependenciesResponse = {
  readonly edges: readonly ControllerDependency[];
};

/** {@link ControllerRuntimeDependenciesResponse} with defaults for what is left out. */
export type ControllerRuntimeDependenciesResponseInit = {
  readonly edges?: readonly ControllerDependencyInit[] | undefined;
};

export declare const ControllerRuntimeDependenciesResponse: Codec<ControllerRuntimeDependenciesResponse, ControllerRuntimeDependenciesResponseInit>;

export type ControllerDependency = {
  readonly controllerName: string;
  readonly type: DependencyType;
  readonly resourceNamespace: string;
  readonly resourceType: string;
  /** empty: all of the type */
  readonly resourceId: string;
  /** name of the part that is needed; of NEED alone */
  readonly need: string;
};

/** {@link ControllerDependency} with defaults for what is left out. */
export type ControllerDependencyInit = {
  readonly controllerName?: string | undefined;
  readonly type?: DependencyType | undefined;
  readonly resourceNamespace?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly need?: string | undefined;
};

export declare const ControllerDependency: Codec<ControllerDependency, ControllerDependencyInit>;

export type CpuProfileRequest = {
  /** 100 to 60000 */
  readonly durationMillis: number;
};

/** {@link CpuProfileRequest} with defaults for what is left out. */
export type CpuProfileRequestInit = {
  readonly durationMillis?: number | undefined;
};

export declare const CpuProfileRequest: Codec<CpuProfileRequest, CpuProfileRequestInit>;

export type HeapSnapshotRequest = {
};

/** {@link HeapSnapshotRequest} with defaults for what is left out. */
export type HeapSnapshotRequestInit = {
};

export declare const HeapSnapshotRequest: Codec<HeapSnapshotRequest, HeapSnapshotRequestInit>;

export type ProfileResponse = {
  readonly data: Uint8Array;
  /** for how long the agent did nothing else for it */
  readonly pauseMillis: number;
};

/** {@link ProfileResponse} with defaults for what is left out. */
export type ProfileResponseInit = {
  readonly data?: Uint8Array | undefined;
  readonly pauseMillis?: number | undefined;
};

export declare const ProfileResponse: Codec<ProfileResponse, ProfileResponseInit>;

export type HealthRequest = {
};

/** {@link HealthRequest} with defaults for what is left out. */
export type HealthRequestInit = {
};

export declare const HealthRequest: Codec<HealthRequest, HealthRequestInit>;

export type HealthResponse = {
  readonly checks: readonly HealthCheck[];
  /** Of the machine's configuration: 'controlplane', 'worker', 'init'; empty without one. */
  readonly machineType: string;
};

/** {@link HealthResponse} with defaults for what is left out. */
export type HealthResponseInit = {
  readonly checks?: readonly HealthCheckInit[] | undefined;
  readonly machineType?: string | undefined;
};

export declare const HealthResponse: Codec<HealthResponse, HealthResponseInit>;

export type HealthCheck = {
  /** 'services' */
  readonly name: string;
  readonly state: HealthState;
  /** of FAILED and SKIPPED */
  readonly reason: string;
  readonly durationMillis: number;
};

/** {@link HealthCheck} with defaults for what is left out. */
export type HealthCheckInit = {
  readonly name?: string | undefined;
  readonly state?: HealthState | undefined;
  readonly reason?: string | undefined;
  readonly durationMillis?: number | undefined;
};

export declare const HealthCheck: Codec<HealthCheck, HealthCheckInit>;

export type DmesgRequest = {
  /** go on with what comes */
  readonly follow: boolean;
  /** only what comes from now on */
  readonly tail: boolean;
  /** only what was said in the last so many seconds; 0: all */
  readonly sinceSeconds: number;
  /** 'emerg' to 'debug'; none: all */
  readonly priorities: readonly string[];
  /** To go on: what the last answer had. Of another boot everything comes. */
  readonly bootId: string;
  readonly afterSequence?: bigint;
};

/** {@link DmesgRequest} with defaults for what is left out. */
export type DmesgRequestInit = {
  readonly follow?: boolean | undefined;
  readonly tail?: boolean | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly priorities?: readonly string[] | undefined;
  readonly bootId?: string | undefined;
  readonly afterSequence?: bigint | undefined;
};

export declare const DmesgRequest: Codec<DmesgRequest, DmesgRequestInit>;

export type DmesgResponse = {
  readonly records: readonly KernelLogRecord[];
  readonly bootId: string;
  /** Records among these that the kernel had overwritten before they could be read. */
  readonly lost: bigint;
  /** Where to go on: the newest record that was looked at. Absent while there was none. */
  readonly lastSequence?: bigint;
};

/** {@link DmesgResponse} with defaults for what is left out. */
export type DmesgResponseInit = {
  readonly records?: readonly KernelLogRecordInit[] | undefined;
  readonly bootId?: string | undefined;
  readonly lost?: bigint | undefined;
  readonly lastSequence?: bigint | undefined;
};

export declare const DmesgResponse: Codec<DmesgResponse, DmesgResponseInit>;

export type KernelLogRecord = {
  /** counts up by one with each record of a boot */
  readonly sequence: bigint;
  /** since the boot */
  readonly clockMicros: bigint;
  /** since the Unix epoch, as the node's clock is now */
  readonly timeMicros: bigint;
  /** 'kern', 'daemon' */
  readonly facility: string;
  /** 'emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug' */
  readonly priority: string;
  readonly message: string;
};

/** {@link KernelLogRecord} with defaults for what is left out. */
export type KernelLogRecordInit = {
  readonly sequence?: bigint | undefined;
  readonly clockMicros?: bigint | undefined;
  readonly timeMicros?: bigint | undefined;
  readonly facility?: string | undefined;
  readonly priority?: string | undefined;
  readonly message?: string | undefined;
};

export declare const KernelLogRecord: Codec<KernelLogRecord, KernelLogRecordInit>;

export type KvstoreStatusRequest = {
};

/** {@link KvstoreStatusRequest} with defaults for what is left out. */
export type KvstoreStatusRequestInit = {
};

export declare const KvstoreStatusRequest: Codec<KvstoreStatusRequest, KvstoreStatusRequestInit>;

export type KvstoreStatusResponse = {
  readonly memberId: bigint;
  /** of the program: '3.5.30' */
  readonly version: string;
  /** '3.6'; empty before 3.6 */
  readonly storageVersion: string;
  /** bytes of the file */
  readonly dbSize: bigint;
  readonly dbSizeInUse: bigint;
  /** member id; 0: none */
  readonly leader: bigint;
  readonly raftIndex: bigint;
  readonly raftTerm: bigint;
  readonly raftAppliedIndex: bigint;
  readonly errors: readonly string[];
  readonly isLearner: boolean;
};

/** {@link KvstoreStatusResponse} with defaults for what is left out. */
export type KvstoreStatusResponseInit = {
  readonly memberId?: bigint | undefined;
  readonly version?: string | undefined;
  readonly storageVersion?: string | undefined;
  readonly dbSize?: bigint | undefined;
  readonly dbSizeInUse?: bigint | undefined;
  readonly leader?: bigint | undefined;
  readonly raftIndex?: bigint | undefined;
  readonly raftTerm?: bigint | undefined;
  readonly raftAppliedIndex?: bigint | undefined;
  readonly errors?: readonly string[] | undefined;
  readonly isLearner?: boolean | undefined;
};

export declare const KvstoreStatusResponse: Codec<KvstoreStatusResponse, KvstoreStatusResponseInit>;

export type KvstoreMembersRequest = {
};

/** {@link KvstoreMembersRequest} with defaults for what is left out. */
export type KvstoreMembersRequestInit = {
};

export declare const KvstoreMembersRequest: Codec<KvstoreMembersRequest, KvstoreMembersRequestInit>;

export type KvstoreMembersResponse = {
  readonly members: readonly KvstoreMember[];
};

/** {@link KvstoreMembersResponse} with defaults for what is left out. */
export type KvstoreMembersResponseInit = {
  readonly members?: readonly KvstoreMemberInit[] | undefined;
};

export declare const KvstoreMembersResponse: Codec<KvstoreMembersResponse, KvstoreMembersResponseInit>;

export type KvstoreMember = {
  readonly id: bigint;
  /** empty: it was added and has never started */
  readonly hostname: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
};

/** {@link KvstoreMember} with defaults for what is left out. */
export type KvstoreMemberInit = {
  readonly id?: bigint | undefined;
  readonly hostname?: string | undefined;
  readonly peerUrls?: readonly string[] | undefined;
  readonly clientUrls?: readonly string[] | undefined;
  readonly isLearner?: boolean | undefined;
};

export declare const KvstoreMember: Codec<KvstoreMember, KvstoreMemberInit>;

export type KvstoreAlarm = {
  readonly memberId: bigint;
  readonly type: KvstoreAlarmType;
};

/** {@link KvstoreAlarm} with defaults for what is left out. */
export type KvstoreAlarmInit = {
  readonly memberId?: bigint | undefined;
  readonly type?: KvstoreAlarmType | undefined;
};

export declare const KvstoreAlarm: Codec<KvstoreAlarm, KvstoreAlarmInit>;

export type KvstoreAlarmsRequest = {
};

/** {@link KvstoreAlarmsRequest} with defaults for what is left out. */
export type KvstoreAlarmsRequestInit = {
};

export declare const KvstoreAlarmsRequest: Codec<KvstoreAlarmsRequest, KvstoreAlarmsRequestInit>;

export type KvstoreAlarmsResponse = {
  readonly alarms: readonly KvstoreAlarm[];
};

/** {@link KvstoreAlarmsResponse} with defaults for what is left out. */
export type KvstoreAlarmsResponseInit = {
  readonly alarms?: readonly KvstoreAlarmInit[] | undefined;
};

export declare const KvstoreAlarmsResponse: Codec<KvstoreAlarmsResponse, KvstoreAlarmsResponseInit>;

export type DisarmAlarmsRequest = {
  readonly alarms: readonly KvstoreAlarm[];
};

/** {@link DisarmAlarmsRequest} with defaults for what is left out. */
export type DisarmAlarmsRequestInit = {
  readonly alarms?: readonly KvstoreAlarmInit[] | undefined;
};

export declare const DisarmAlarmsRequest: Codec<DisarmAlarmsRequest, DisarmAlarmsRequestInit>;

export type DisarmAlarmsResponse = {
  readonly disarmed: readonly KvstoreAlarm[];
};

/** {@link DisarmAlarmsResponse} with defaults for what is left out. */
export type DisarmAlarmsResponseInit = {
  readonly disarmed?: readonly KvstoreAlarmInit[] | undefined;
};

export declare const DisarmAlarmsResponse: Codec<DisarmAlarmsResponse, DisarmAlarmsResponseInit>;

export type KvstoreSnapshotRequest = {
};

/** {@link KvstoreSnapshotRequest} with defaults for what is left out. */
export type KvstoreSnapshotRequestInit = {
};

export declare const KvstoreSnapshotRequest: Codec<KvstoreSnapshotRequest, KvstoreSnapshotRequestInit>;

/** The node passes on what its member sends, and proves nothing: whoever keeps the data has to. It is whole when the call ends
 * with the status OK and the last 32 bytes of all data are the SHA-256 of those before them, as etcd puts it there. */
export type KvstoreSnapshotResponse = {
  readonly data: Uint8Array;
  /** of all data; alone, before the first of it */
  readonly totalBytes: bigint;
};

/** {@link KvstoreSnapshotResponse} with defaults for what is left out. */
export type KvstoreSnapshotResponseInit = {
  readonly data?: Uint8Array | undefined;
  readonly totalBytes?: bigint | undefined;
};

export declare const KvstoreSnapshotResponse: Codec<KvstoreSnapshotResponse, KvstoreSnapshotResponseInit>;

export type DefragmentRequest = {
  /** Say what would be done, change nothing. */
  readonly dryRun: boolean;
  /** Also when it does not pay. */
  readonly force: boolean;
};

/** {@link DefragmentRequest} with defaults for what is left out. */
export type DefragmentRequestInit = {
  readonly dryRun?: boolean | undefined;
  readonly force?: boolean | undefined;
};

export declare const DefragmentRequest: Codec<DefragmentRequest, DefragmentRequestInit>;

export type DefragmentResponse = {
  readonly memberId: bigint;
  readonly state: DefragmentState;
  readonly dbSizeBefore: bigint;
  readonly dbSizeInUse: bigint;
  /** of DONE */
  readonly dbSizeAfter: bigint;
  readonly estimatedMillis: bigint;
  readonly elapsedMillis: bigint;
  /** for people */
  readonly message: string;
};

/** {@link DefragmentResponse} with defaults for what is left out. */
export type DefragmentResponseInit = {
  readonly memberId?: bigint | undefined;
  readonly state?: DefragmentState | undefined;
  readonly dbSizeBefore?: bigint | undefined;
  readonly dbSizeInUse?: bigint | undefined;
  readonly dbSizeAfter?: bigint | undefined;
  readonly estimatedMillis?: bigint | undefined;
  readonly elapsedMillis?: bigint | undefined;
  readonly message?: string | undefined;
};

export declare const DefragmentResponse: Codec<DefragmentResponse, DefragmentResponseInit>;

export type RecoverSpaceRequest = {
};

/** {@link RecoverSpaceRequest} with defaults for what is left out. */
export type RecoverSpaceRequestInit = {
};

export declare const RecoverSpaceRequest: Codec<RecoverSpaceRequest, RecoverSpaceRequestInit>;

export type RecoverSpaceResponse = {
  /** what is being done, for people */
  readonly message: string;
  /** alone, the last one */
  readonly report?: RecoverSpaceReport;
};

/** {@link RecoverSpaceResponse} with defaults for what is left out. */
export type RecoverSpaceResponseInit = {
  readonly message?: string | undefined;
  readonly report?: RecoverSpaceReportInit | undefined;
};

export declare const RecoverSpaceResponse: Codec<RecoverSpaceResponse, RecoverSpaceResponseInit>;

export type RecoverSpaceReport = {
  /** Revisions before this one are gone; 0: no NOSPACE alarm was raised, and nothing was done. */
  readonly compactedTo: bigint;
  readonly disarmed: readonly KvstoreAlarm[];
  /** how many members' files were made smaller */
  readonly defragmented: number;
};

/** {@link RecoverSpaceReport} with defaults for what is left out. */
export type RecoverSpaceReportInit = {
  readonly compactedTo?: bigint | undefined;
  readonly disarmed?: readonly KvstoreAlarmInit[] | undefined;
  readonly defragmented?: number | undefined;
};

export declare const RecoverSpaceReport: Codec<RecoverSpaceReport, RecoverSpaceReportInit>;

export type ForfeitLeadershipRequest = {
};

/** {@link ForfeitLeadershipRequest} with defaults for what is left out. */
export type ForfeitLeadershipRequestInit = {
};

export declare const ForfeitLeadershipRequest: Codec<ForfeitLeadershipRequest, ForfeitLeadershipRequestInit>;

export type ForfeitLeadershipResponse = {
  /** name of the new leader; empty: nothing was moved */
  readonly member: string;
};

/** {@link ForfeitLeadershipResponse} with defaults for what is left out. */
export type ForfeitLeadershipResponseInit = {
  readonly member?: string | undefined;
};

export declare const ForfeitLeadershipResponse: Codec<ForfeitLeadershipResponse, ForfeitLeadershipResponseInit>;

export type LeaveKvstoreRequest = {
};

/** {@link LeaveKvstoreRequest} with defaults for what is left out. */
export type LeaveKvstoreRequestInit = {
};

export declare const LeaveKvstoreRequest: Codec<LeaveKvstoreRequest, LeaveKvstoreRequestInit>;

export type LeaveKvstoreResponse = {
};

/** {@link LeaveKvstoreResponse} with defaults for what is left out. */
export type LeaveKvstoreResponseInit = {
};

export declare const LeaveKvstoreResponse: Codec<LeaveKvstoreResponse, LeaveKvstoreResponseInit>;

export type RemoveMemberRequest = {
  readonly memberId: bigint;
  readonly force: boolean;
};

/** {@link RemoveMemberRequest} with defaults for what is left out. */
export type RemoveMemberRequestInit = {
  readonly memberId?: bigint | undefined;
  readonly force?: boolean | undefined;
};

export declare const RemoveMemberRequest: Codec<RemoveMemberRequest, RemoveMemberRequestInit>;

export type RemoveMemberResponse = {
};

/** {@link RemoveMemberResponse} with defaults for what is left out. */
export type RemoveMemberResponseInit = {
};

export declare const RemoveMemberResponse: Codec<RemoveMemberResponse, RemoveMemberResponseInit>;

export type DowngradeRequest = {
  readonly action: DowngradeAction;
  /** 'MAJOR.MINOR'; not for CANCEL */
  readonly version: string;
};

/** {@link DowngradeRequest} with defaults for what is left out. */
export type DowngradeRequestInit = {
  readonly action?: DowngradeAction | undefined;
  readonly version?: string | undefined;
};

export declare const DowngradeRequest: Codec<DowngradeRequest, DowngradeRequestInit>;

export type DowngradeResponse = {
  readonly clusterVersion: string;
};

/** {@link DowngradeResponse} with defaults for what is left out. */
export type DowngradeResponseInit = {
  readonly clusterVersion?: string | undefined;
};

export declare const DowngradeResponse: Codec<DowngradeResponse, DowngradeResponseInit>;

export type RecoverRequest = {
  readonly data: Uint8Array;
  /** Of all data; with the first of it. The node looks whether it has room. */
  readonly totalBytes: bigint;
  /** SHA-256 of all data; with the last of it. What arrived otherwise is refused. */
  readonly sha256: Uint8Array;
};

/** {@link RecoverRequest} with defaults for what is left out. */
export type RecoverRequestInit = {
  readonly data?: Uint8Array | undefined;
  readonly totalBytes?: bigint | undefined;
  readonly sha256?: Uint8Array | undefined;
};

export declare const RecoverRequest: Codec<RecoverRequest, RecoverRequestInit>;

export type RecoverResponse = {
  readonly sizeBytes: bigint;
};

/** {@link RecoverResponse} with defaults for what is left out. */
export type RecoverResponseInit = {
  readonly sizeBytes?: bigint | undefined;
};

export declare const RecoverResponse: Codec<RecoverResponse, RecoverResponseInit>;

export type BootstrapRequest = {
  /** From the snapshot that Recover brought. */
  readonly recover: boolean;
  /** It has no hash of its own: it was copied out of a data directory. */
  readonly skipHashCheck: boolean;
  /** Added to the revision, so that no watcher of before sees revisions go back; those before are then compacted. */
  readonly revisionBump: bigint;
  /** Hexadecimal SHA-256 of the database in the snapshot that is meant; empty: whatever Recover brought last. Somebody else's is refused. */
  readonly snapshotSha256: string;
};

/** {@link BootstrapRequest} with defaults for what is left out. */
export type BootstrapRequestInit = {
  readonly recover?: boolean | undefined;
  readonly skipHashCheck?: boolean | undefined;
  readonly revisionBump?: bigint | undefined;
  readonly snapshotSha256?: string | undefined;
};

export declare const BootstrapRequest: Codec<BootstrapRequest, BootstrapRequestInit>;

/** What is being done; the last one says `healthy`. */
export type BootstrapResponse = {
  /** 'restoring', 'starting', 'healthy' */
  readonly step: string;
  /** for people */
  readonly message: string;
  /** of the last one */
  readonly memberId: bigint;
};

/** {@link BootstrapResponse} with defaults for what is left out. */
export type BootstrapResponseInit = {
  readonly step?: string | undefined;
  readonly message?: string | undefined;
  readonly memberId?: bigint | undefined;
};

export declare const BootstrapResponse: Codec<BootstrapResponse, BootstrapResponseInit>;

/** Where other systems keep images. Accepted and not used: the node pulls by itself. */
export type ContainerdInstance = {
  readonly driver: string;
  readonly namespace: string;
};

/** {@link ContainerdInstance} with defaults for what is left out. */
export type ContainerdInstanceInit = {
  readonly driver?: string | undefined;
  readonly namespace?: string | undefined;
};

export declare const ContainerdInstance: Codec<ContainerdInstance, ContainerdInstanceInit>;

export type InstallerSource = {
  /** 'factory.example/metal-installer/<schematic>:v1.14.0' */
  readonly imageName: string;
};

/** {@link InstallerSource} with defaults for what is left out. */
export type InstallerSourceInit = {
  readonly imageName?: string | undefined;
};

export declare const InstallerSource: Codec<InstallerSource, InstallerSourceInit>;

export type InstallDestination = {
  /** '/dev/nvme0n1', or a link that names it */
  readonly disk: string;
};

/** {@link InstallDestination} with defaults for what is left out. */
export type InstallDestinationInit = {
  readonly disk?: string | undefined;
};

export declare const InstallDestination: Codec<InstallDestination, InstallDestinationInit>;

export type InstallRequest = {
  readonly containerd?: ContainerdInstance;
  readonly source?: InstallerSource;
  readonly destination?: InstallDestination;
  /** 'sha256:…' of the image; another one is refused */
  readonly expectedDigest: string;
  /** pull and verify, look at the disk, say what would be done, write nothing */
  readonly dryRun: boolean;
  /** accept an unsigned image where Secure Boot is off */
  readonly force: boolean;
  /** all that is on the disk may go */
  readonly wipe: boolean;
};

/** {@link InstallRequest} with defaults for what is left out. */
export type InstallRequestInit = {
  readonly containerd?: ContainerdInstanceInit | undefined;
  readonly source?: InstallerSourceInit | undefined;
  readonly destination?: InstallDestinationInit | undefined;
  readonly expectedDigest?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly wipe?: boolean | undefined;
};

export declare const InstallRequest: Codec<InstallRequest, InstallRequestInit>;

export type UpgradeRequest = {
  readonly containerd?: ContainerdInstance;
  readonly source?: InstallerSource;
  /** 'sha256:…' of the image; another one is refused */
  readonly expectedDigest: string;
  /** pull and verify, say what would be written, write nothing */
  readonly dryRun: boolean;
  /** accept an unsigned image where Secure Boot is off, and one below the minimum version */
  readonly force: boolean;
};

/** {@link UpgradeRequest} with defaults for what is left out. */
export type UpgradeRequestInit = {
  readonly containerd?: ContainerdInstanceInit | undefined;
  readonly source?: InstallerSourceInit | undefined;
  readonly expectedDigest?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly force?: boolean | undefined;
};

export declare const UpgradeRequest: Codec<UpgradeRequest, UpgradeRequestInit>;

export type UpgradeResponse = {
  /** One sentence for people; empty in the last answer. */
  readonly message: string;
  /** Only in the last answer; 0: done. What failed is in the message before it. */
  readonly exitCode?: number;
  readonly phase: UpgradePhase;
  readonly doneBytes: bigint;
  readonly totalBytes: bigint;
  /** the file that was written: 'nodeos-1.14.0-2+3.efi' */
  readonly entry: string;
  /** of the release, 'v1.14.0' */
  readonly version: string;
  /** of the upgrade, in the node's events */
  readonly actorId: string;
};

/** {@link UpgradeResponse} with defaults for what is left out. */
export type UpgradeResponseInit = {
  readonly message?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly phase?: UpgradePhase | undefined;
  readonly doneBytes?: bigint | undefined;
  readonly totalBytes?: bigint | undefined;
  readonly entry?: string | undefined;
  readonly version?: string | undefined;
  readonly actorId?: string | undefined;
};

export declare const UpgradeResponse: Codec<UpgradeResponse, UpgradeResponseInit>;

export type InstallResponse = {
  /** One sentence for people; empty in the last answer. */
  readonly message: string;
  /** Only in the last answer; 0: done. What failed is in the message before it. */
  readonly exitCode?: number;
  readonly phase: UpgradePhase;
  readonly doneBytes: bigint;
  readonly totalBytes: bigint;
  /** the file that was written: 'nodeos-1.14.0-1.efi' */
  readonly entry: string;
  /** of the release, 'v1.14.0' */
  readonly version: string;
  /** of the installation, in the node's events */
  readonly actorId: string;
};

/** {@link InstallResponse} with defaults for what is left out. */
export type InstallResponseInit = {
  readonly message?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly phase?: UpgradePhase | undefined;
  readonly doneBytes?: bigint | undefined;
  readonly totalBytes?: bigint | undefined;
  readonly entry?: string | undefined;
  readonly version?: string | undefined;
  readonly actorId?: string | undefined;
};

export declare const InstallResponse: Codec<InstallResponse, InstallResponseInit>;

export type GenerateClientConfigurationRequest = {
  /** one at least */
  readonly roles: readonly string[];
  /** how long the certificate is valid; 0: a year; ten years at most */
  readonly ttlMillis: bigint;
  /** PKCS #10 in PEM form: the key stays where it was made. Nothing else of the request gets into the certificate. */
  readonly csr: string;
};

/** {@link GenerateClientConfigurationRequest} with defaults for what is left out. */
export type GenerateClientConfigurationRequestInit = {
  readonly roles?: readonly string[] | undefined;
  readonly ttlMillis?: bigint | undefined;
  readonly csr?: string | undefined;
};

export declare const GenerateClientConfigurationRequest: Codec<GenerateClientConfigurationRequest, GenerateClientConfigurationRequestInit>;

export type GenerateClientConfigurationResponse = {
  /** PEM */
  readonly ca: string;
  /** PEM */
  readonly crt: string;
  /** of the configuration; empty: it has none */
  readonly clusterName: string;
};

/** {@link GenerateClientConfigurationResponse} with defaults for what is left out. */
export type GenerateClientConfigurationResponseInit = {
  readonly ca?: string | undefined;
  readonly crt?: string | undefined;
  readonly clusterName?: string | undefined;
};

export declare const GenerateClientConfigurationResponse: Codec<GenerateClientConfigurationResponse, GenerateClientConfigurationResponseInit>;

export type RebootRequest = {
  readonly mode: RebootMode;
};

/** {@link RebootRequest} with defaults for what is left out. */
export type RebootRequestInit = {
  readonly mode?: RebootMode | undefined;
};

export declare const RebootRequest: Codec<RebootRequest, RebootRequestInit>;

export type RebootResponse = {
  /** Of this sequence, in the node's log and events. */
  readonly actorId: string;
};

/** {@link RebootResponse} with defaults for what is left out. */
export type RebootResponseInit = {
  readonly actorId?: string | undefined;
};

export declare const RebootResponse: Codec<RebootResponse, RebootResponseInit>;

export type ShutdownRequest = {
  /** what was written is synced; nothing else is waited for */
  readonly force: boolean;
};

/** {@link ShutdownRequest} with defaults for what is left out. */
export type ShutdownRequestInit = {
  readonly force?: boolean | undefined;
};

export declare const ShutdownRequest: Codec<ShutdownRequest, ShutdownRequestInit>;

export type ShutdownResponse = {
  readonly actorId: string;
};

/** {@link ShutdownResponse} with defaults for what is left out. */
export type ShutdownResponseInit = {
  readonly actorId?: string | undefined;
};

export declare const ShutdownResponse: Codec<ShutdownResponse, ShutdownResponseInit>;

export type RollbackRequest = {
  /** also to one that did not come up, when there is no good one: it gets its starts anew */
  readonly force: boolean;
};

/** {@link RollbackRequest} with defaults for what is left out. */
export type RollbackRequestInit = {
  readonly force?: boolean | undefined;
};

export declare const RollbackRequest: Codec<RollbackRequest, RollbackRequestInit>;

export type RollbackResponse = {
  /** What boots next: 'v1.14.0' */
  readonly version: string;
  /** its file: 'nodeos-1.14.0-1.efi' */
  readonly entry: string;
  readonly actorId: string;
};

/** {@link RollbackResponse} with defaults for what is left out. */
export type RollbackResponseInit = {
  readonly version?: string | undefined;
  readonly entry?: string | undefined;
  readonly actorId?: string | undefined;
};

export declare const RollbackResponse: Codec<RollbackResponse, RollbackResponseInit>;

export type MetaWriteRequest = {
  /** 0 to 31; all others are the node's own */
  readonly key: number;
  /** without a NUL */
  readonly value: Uint8Array;
};

/** {@link MetaWriteRequest} with defaults for what is left out. */
export type MetaWriteRequestInit = {
  readonly key?: number | undefined;
  readonly value?: Uint8Array | undefined;
};

export declare const MetaWriteRequest: Codec<MetaWriteRequest, MetaWriteRequestInit>;

export type MetaWriteResponse = {
};

/** {@link MetaWriteResponse} with defaults for what is left out. */
export type MetaWriteResponseInit = {
};

export declare const MetaWriteResponse: Codec<MetaWriteResponse, MetaWriteResponseInit>;

export type MetaDeleteRequest = {
  readonly key: number;
};

/** {@link MetaDeleteRequest} with defaults for what is left out. */
export type MetaDeleteRequestInit = {
  readonly key?: number | undefined;
};

export declare const MetaDeleteRequest: Codec<MetaDeleteRequest, MetaDeleteRequestInit>;

export type MetaDeleteResponse = {
};

/** {@link MetaDeleteResponse} with defaults for what is left out. */
export type MetaDeleteResponseInit = {
};

export declare const MetaDeleteResponse: Codec<MetaDeleteResponse, MetaDeleteResponseInit>;

export type AccessRequest = {
};

/** {@link AccessRequest} with defaults for what is left out. */
export type AccessRequestInit = {
};

export declare const AccessRequest: Codec<AccessRequest, AccessRequestInit>;

export type AccessResponse = {
  /** Common name of the caller's certificate; `anonymous` in maintenance. */
  readonly name: string;
  /** Of the certificate. None in maintenance. */
  readonly roles: readonly string[];
  readonly maintenance: boolean;
  readonly methods: readonly MethodAccess[];
};

/** {@link AccessResponse} with defaults for what is left out. */
export type AccessResponseInit = {
  readonly name?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly maintenance?: boolean | undefined;
  readonly methods?: readonly MethodAccessInit[] | undefined;
};

export declare const AccessResponse: Codec<AccessResponse, AccessResponseInit>;

export type MethodAccess = {
  /** `TrimService/Trim` */
  readonly method: string;
  readonly allowed: boolean;
  /** Any one of these is enough. */
  readonly roles: readonly string[];
};

/** {@link MethodAccess} with defaults for what is left out. */
export type MethodAccessInit = {
  readonly method?: string | undefined;
  readonly allowed?: boolean | undefined;
  readonly roles?: readonly string[] | undefined;
};

export declare const MethodAccess: Codec<MethodAccess, MethodAccessInit>;

export type ApplyConfigurationRequest = {
  /** Machine-configuration documents, YAML in UTF-8. */
  readonly data: Uint8Array;
  readonly mode: ApplyMode;
  /** Validate and compare, change nothing. A pending rollback stays pending. */
  readonly dryRun: boolean;
  /** Only with APPLY_MODE_TRY; 0 is one minute. */
  readonly tryTimeoutMillis: number;
  /** Version of the machine configuration this one was made from. When the node has another by now,
   * the call fails with FAILED_PRECONDITION and changes nothing. */
  readonly expectedVersion?: bigint;
};

/** {@link ApplyConfigurationRequest} with defaults for what is left out. */
export type ApplyConfigurationRequestInit = {
  readonly data?: Uint8Array | undefined;
  readonly mode?: ApplyMode | undefined;
  readonly dryRun?: boolean | undefined;
  readonly tryTimeoutMillis?: number | undefined;
  readonly expectedVersion?: bigint | undefined;
};

export declare const ApplyConfigurationRequest: Codec<ApplyConfigurationRequest, ApplyConfigurationRequestInit>;

export type ApplyConfigurationResponse = {
  /** Things a person should know, one sentence each. Never secrets. */
  readonly warnings: readonly string[];
  /** What AUTO came to; the mode itself otherwise. */
  readonly mode: ApplyMode;
  /** One sentence for people about what happened or, in a dry run, would happen. */
  readonly modeDetails: string;
  /** Unified diff from the active configuration to this one, secrets redacted; empty when they are equal. */
  readonly diff: string;
  /** The configuration survives a power cut from now on. */
  readonly durable: boolean;
  /** Version of the active machine configuration after this call, for the next expected_version. */
  readonly version: bigint;
  /** Of this change, in the node's events; empty of a dry run. */
  readonly actorId: string;
};

/** {@link ApplyConfigurationResponse} with defaults for what is left out. */
export type ApplyConfigurationResponseInit = {
  readonly warnings?: readonly string[] | undefined;
  readonly mode?: ApplyMode | undefined;
  readonly modeDetails?: string | undefined;
  readonly diff?: string | undefined;
  readonly durable?: boolean | undefined;
  readonly version?: bigint | undefined;
  readonly actorId?: string | undefined;
};

export declare const ApplyConfigurationResponse: Codec<ApplyConfigurationResponse, ApplyConfigurationResponseInit>;

export type VersionRequest = {
};

/** {@link VersionRequest} with defaults for what is left out. */
export type VersionRequestInit = {
};

export declare const VersionRequest: Codec<VersionRequest, VersionRequestInit>;

export type VersionResponse = {
  readonly hostname: string;
  /** of nodecore, '1.2.3' */
  readonly version: string;
  /** of its source; empty when it was not built from a commit */
  readonly revision: string;
  /** RFC 3339; empty when run from source */
  readonly built: string;
  /** 'node v24.21.0' */
  readonly runtime: string;
  /** 'linux' */
  readonly os: string;
  /** 'x64', 'arm64' */
  readonly arch: string;
  /** uname -r */
  readonly kernel: string;
  /** no complete configuration yet */
  readonly maintenance: boolean;
};

/** {@link VersionResponse} with defaults for what is left out. */
export type VersionResponseInit = {
  readonly hostname?: string | undefined;
  readonly version?: string | undefined;
  readonly revision?: string | undefined;
  readonly built?: string | undefined;
  readonly runtime?: string | undefined;
  readonly os?: string | undefined;
  readonly arch?: string | undefined;
  readonly kernel?: string | undefined;
  readonly maintenance?: boolean | undefined;
};

export declare const VersionResponse: Codec<VersionResponse, VersionResponseInit>;

export type MountsRequest = {
};

/** {@link MountsRequest} with defaults for what is left out. */
export type MountsRequestInit = {
};

export declare const MountsRequest: Codec<MountsRequest, MountsRequestInit>;

export type MountsResponse = {
  readonly mounts: readonly Mount[];
};

/** {@link MountsResponse} with defaults for what is left out. */
export type MountsResponseInit = {
  readonly mounts?: readonly MountInit[] | undefined;
};

export declare const MountsResponse: Codec<MountsResponse, MountsResponseInit>;

export type Mount = {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly options: readonly string[];
  /** Absent when the file system did not say; then `error` has the reason. */
  readonly sizeBytes?: bigint;
  readonly usedBytes?: bigint;
  /** to unprivileged writers */
  readonly availableBytes?: bigint;
  /** 0: the file system has no fixed number */
  readonly inodes?: bigint;
  readonly inodesFree?: bigint;
  readonly error: string;
};

/** {@link Mount} with defaults for what is left out. */
export type MountInit = {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly type?: string | undefined;
  readonly options?: readonly string[] | undefined;
  readonly sizeBytes?: bigint | undefined;
  readonly usedBytes?: bigint | undefined;
  readonly availableBytes?: bigint | undefined;
  readonly inodes?: bigint | undefined;
  readonly inodesFree?: bigint | undefined;
  readonly error?: string | undefined;
};

export declare const Mount: Codec<Mount, MountInit>;

/** Carried by failed calls in the trailer `nodecore-error-bin`: what a program can match on. */
export type ErrorInfo = {
  /** 'ERR_CONFIG_INVALID' */
  readonly code: string;
  readonly problems: readonly Problem[];
};

/** {@link ErrorInfo} with defaults for what is left out. */
export type ErrorInfoInit = {
  readonly code?: string | undefined;
  readonly problems?: readonly ProblemInit[] | undefined;
};

export declare const ErrorInfo: Codec<ErrorInfo, ErrorInfoInit>;

/** One problem in a machine configuration. */
export type Problem = {
  /** 'size.min_gt_max' */
  readonly code: string;
  readonly message: string;
  /** 'UserVolumeConfig/data' */
  readonly document: string;
  /** 'provisioning.minSize' */
  readonly path: string;
  /** from 1; 0: not known */
  readonly line: number;
  /** from 1; 0: not known */
  readonly column: number;
};

/** {@link Problem} with defaults for what is left out. */
export type ProblemInit = {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly document?: string | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
};

export declare const Problem: Codec<Problem, ProblemInit>;

export type ProcessesRequest = {
  /** 0: once. What a caller that is too slow misses are whole samples. */
  readonly intervalMillis: number;
};

/** {@link ProcessesRequest} with defaults for what is left out. */
export type ProcessesRequestInit = {
  readonly intervalMillis?: number | undefined;
};

export declare const ProcessesRequest: Codec<ProcessesRequest, ProcessesRequestInit>;

export type ProcessesResponse = {
  readonly processes: readonly Process[];
  /** nothing of this sample follows */
  readonly complete: boolean;
  /** since the boot, as the sample was begun; with `complete` */
  readonly clockMicros: bigint;
};

/** {@link ProcessesResponse} with defaults for what is left out. */
export type ProcessesResponseInit = {
  readonly processes?: readonly ProcessInit[] | undefined;
  readonly complete?: boolean | undefined;
  readonly clockMicros?: bigint | undefined;
};

export declare const ProcessesResponse: Codec<ProcessesResponse, ProcessesResponseInit>;

export type Process = {
  readonly pid: number;
  /** 0: none that is seen here */
  readonly ppid: number;
  /** 'R', 'S', 'D', 'Z', 'T', …, as proc_pid_stat(5) has them */
  readonly state: string;
  readonly threads: number;
  /** seconds, of all its threads */
  readonly cpuTime: number;
  /** bytes */
  readonly virtualMemory: bigint;
  /** bytes */
  readonly residentMemory: bigint;
  /** the name that it gives itself, 15 bytes at most */
  readonly command: string;
  /** empty of threads of the kernel, and of what the agent may not see */
  readonly executable: string;
  /** Without what could be secrets in URLs, and after 32 KiB cut. */
  readonly args: readonly string[];
  /** of the security module: 'system_u:system_r:init_t' */
  readonly label: string;
  readonly uid: number;
  /** With the number, tells one process from another that has it later. */
  readonly startMicros: bigint;
  readonly kernelThread: boolean;
  /** '/system.slice/etcd' */
  readonly cgroup: string;
  readonly nice: number;
};

/** {@link Process} with defaults for what is left out. */
export type ProcessInit = {
  readonly pid?: number | undefined;
  readonly ppid?: number | undefined;
  readonly state?: string | undefined;
  readonly threads?: number | undefined;
  readonly cpuTime?: number | undefined;
  readonly virtualMemory?: bigint | undefined;
  readonly residentMemory?: bigint | undefined;
  readonly command?: string | undefined;
  readonly executable?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly uid?: number | undefined;
  readonly startMicros?: bigint | undefined;
  readonly kernelThread?: boolean | undefined;
  readonly cgroup?: string | undefined;
  readonly nice?: number | undefined;
};

export declare const Process: Codec<Process, ProcessInit>;

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

export type ListRequest = {
  /** empty: the default namespace of the type */
  readonly namespace: string;
  readonly type: string;
};

/** {@link ListRequest} with defaults for what is left out. */
export type ListRequestInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
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
};

/** {@link WatchRequest} with defaults for what is left out. */
export type WatchRequestInit = {
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly id?: string | undefined;
  readonly bookmark?: BookmarkInit | undefined;
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

/** A place in the history of all resources of one run of the agent. */
export type Bookmark = {
  /** changes when the agent starts anew */
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
  /** 'VolumeStatuses.block.nodecore.dev' */
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

export type CertificateRequest = {
  /** A CertificateTerms, as the bytes that the proof is over. */
  readonly terms: Uint8Array;
  /** HMAC-SHA256 of the terms, its key the token of the machine: the token itself is never sent. */
  readonly proof: Uint8Array;
};

/** {@link CertificateRequest} with defaults for what is left out. */
export type CertificateRequestInit = {
  readonly terms?: Uint8Array | undefined;
  readonly proof?: Uint8Array | undefined;
};

export declare const CertificateRequest: Codec<CertificateRequest, CertificateRequestInit>;

/** What a worker asks for. */
export type CertificateTerms = {
  /** PKCS #10 in PEM form, with a key for Ed25519; its subject and extensions are empty. */
  readonly csr: string;
  /** IP addresses and DNS names of the node. */
  readonly names: readonly string[];
  /** Of the machine; empty: it has none, and gets no certificate for key servers. */
  readonly uuid: string;
};

/** {@link CertificateTerms} with defaults for what is left out. */
export type CertificateTermsInit = {
  readonly csr?: string | undefined;
  readonly names?: readonly string[] | undefined;
  readonly uuid?: string | undefined;
};

export declare const CertificateTerms: Codec<CertificateTerms, CertificateTermsInit>;

export type CertificateResponse = {
  /** PEM, for servers. */
  readonly serverCertificate: string;
  /** PEM, for clients, without a role; empty: why is among the withheld. */
  readonly nodeCertificate: string;
  /** PEM of the authority that has signed both. */
  readonly authority: string;
  readonly withheld: readonly WithheldName[];
  /** IP addresses of control planes: where else a worker may ask, when its endpoint does not answer. */
  readonly controlPlanes: readonly string[];
};

/** {@link CertificateResponse} with defaults for what is left out. */
export type CertificateResponseInit = {
  readonly serverCertificate?: string | undefined;
  readonly nodeCertificate?: string | undefined;
  readonly authority?: string | undefined;
  readonly withheld?: readonly WithheldNameInit[] | undefined;
  readonly controlPlanes?: readonly string[] | undefined;
};

export declare const CertificateResponse: Codec<CertificateResponse, CertificateResponseInit>;

/** A name that is not in the certificate. */
export type WithheldName = {
  /** as it was asked for, or the UUID */
  readonly name: string;
  readonly reason: string;
};

/** {@link WithheldName} with defaults for what is left out. */
export type WithheldNameInit = {
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
};

export declare const WithheldName: Codec<WithheldName, WithheldNameInit>;

export type ServiceListRequest = {
};

/** {@link ServiceListRequest} with defaults for what is left out. */
export type ServiceListRequestInit = {
};

export declare const ServiceListRequest: Codec<ServiceListRequest, ServiceListRequestInit>;

export type ServiceListResponse = {
  readonly services: readonly ServiceInfo[];
};

/** {@link ServiceListResponse} with defaults for what is left out. */
export type ServiceListResponseInit = {
  readonly services?: readonly ServiceInfoInit[] | undefined;
};

export declare const ServiceListResponse: Codec<ServiceListResponse, ServiceListResponseInit>;

/** A service, in the words of `osctl service`. */
export type ServiceInfo = {
  /** 'etcd' */
  readonly id: string;
  /** Initialized, Preparing, Waiting, Starting, Running, Stopping, Finished, Failed or Skipped. */
  readonly state: string;
  /** Oldest first; the last 64. */
  readonly events: readonly ServiceHistoryEntry[];
  readonly health?: ServiceHealthInfo;
  /** 0: none runs */
  readonly pid: number;
  /** how often the program ended without being asked to */
  readonly restarts: number;
  /** of start, stop and restart, those that it allows */
  readonly operations: readonly string[];
};

/** {@link ServiceInfo} with defaults for what is left out. */
export type ServiceInfoInit = {
  readonly id?: string | undefined;
  readonly state?: string | undefined;
  readonly events?: readonly ServiceHistoryEntryInit[] | undefined;
  readonly health?: ServiceHealthInfoInit | undefined;
  readonly pid?: number | undefined;
  readonly restarts?: number | undefined;
  readonly operations?: readonly string[] | undefined;
};

export declare const ServiceInfo: Codec<ServiceInfo, ServiceInfoInit>;

export type ServiceHistoryEntry = {
  readonly message: string;
  readonly state: string;
  /** since the Unix epoch */
  readonly timeMillis: bigint;
};

/** {@link ServiceHistoryEntry} with defaults for what is left out. */
export type ServiceHistoryEntryInit = {
  readonly message?: string | undefined;
  readonly state?: string | undefined;
  readonly timeMillis?: bigint | undefined;
};

export declare const ServiceHistoryEntry: Codec<ServiceHistoryEntry, ServiceHistoryEntryInit>;

export type ServiceHealthInfo = {
  /** nobody has looked, or nobody looks */
  readonly unknown: boolean;
  readonly healthy: boolean;
  /** what was found the last time that it was not healthy */
  readonly lastMessage: string;
  /** since the Unix epoch; 0: never */
  readonly lastChangeMillis: bigint;
};

/** {@link ServiceHealthInfo} with defaults for what is left out. */
export type ServiceHealthInfoInit = {
  readonly unknown?: boolean | undefined;
  readonly healthy?: boolean | undefined;
  readonly lastMessage?: string | undefined;
  readonly lastChangeMillis?: bigint | undefined;
};

export declare const ServiceHealthInfo: Codec<ServiceHealthInfo, ServiceHealthInfoInit>;

export type ServiceStartRequest = {
  readonly id: string;
};

/** {@link ServiceStartRequest} with defaults for what is left out. */
export type ServiceStartRequestInit = {
  readonly id?: string | undefined;
};

export declare const ServiceStartRequest: Codec<ServiceStartRequest, ServiceStartRequestInit>;

export type ServiceStartResponse = {
  /** for people: 'Service "etcd" started' */
  readonly response: string;
};

/** {@link ServiceStartResponse} with defaults for what is left out. */
export type ServiceStartResponseInit = {
  readonly response?: string | undefined;
};

export declare const ServiceStartResponse: Codec<ServiceStartResponse, ServiceStartResponseInit>;

export type ServiceStopRequest = {
  readonly id: string;
};

/** {@link ServiceStopRequest} with defaults for what is left out. */
export type ServiceStopRequestInit = {
  readonly id?: string | undefined;
};

export declare const ServiceStopRequest: Codec<ServiceStopRequest, ServiceStopRequestInit>;

export type ServiceStopResponse = {
  readonly response: string;
};

/** {@link ServiceStopResponse} with defaults for what is left out. */
export type ServiceStopResponseInit = {
  readonly response?: string | undefined;
};

export declare const ServiceStopResponse: Codec<ServiceStopResponse, ServiceStopResponseInit>;

export type ServiceRestartRequest = {
  readonly id: string;
  /** Empty or `system`: of the node itself. All others are containers'. */
  readonly namespace: string;
};

/** {@link ServiceRestartRequest} with defaults for what is left out. */
export type ServiceRestartRequestInit = {
  readonly id?: string | undefined;
  readonly namespace?: string | undefined;
};

export declare const ServiceRestartRequest: Codec<ServiceRestartRequest, ServiceRestartRequestInit>;

export type ServiceRestartResponse = {
  readonly response: string;
};

/** {@link ServiceRestartResponse} with defaults for what is left out. */
export type ServiceRestartResponseInit = {
  readonly response?: string | undefined;
};

export declare const ServiceRestartResponse: Codec<ServiceRestartResponse, ServiceRestartResponseInit>;

export type LogsRequest = {
  readonly id: string;
  /** Empty or `system`: of the node itself. All others are containers'. */
  readonly namespace: string;
  readonly follow: boolean;
  /** Absent: everything that is kept; 0: nothing of it. */
  readonly tailLines?: number;
  /** Goes on at this byte of all that the service printed in a boot, in place of tail_lines: what a caller whose connection was lost asks for. */
  readonly fromOffset?: bigint;
  /** Which boot the offset is of. Of another one than those that are kept all is new. Empty: the one that runs. */
  readonly fromBootId: string;
  /** What the id is of: empty or `service`, `container`, `vm`. `vm` needs os:admin. */
  readonly kind: string;
};

/** {@link LogsRequest} with defaults for what is left out. */
export type LogsRequestInit = {
  readonly id?: string | undefined;
  readonly namespace?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly fromOffset?: bigint | undefined;
  readonly fromBootId?: string | undefined;
  readonly kind?: string | undefined;
};

export declare const LogsRequest: Codec<LogsRequest, LogsRequestInit>;

export type LogsResponse = {
  readonly data: Uint8Array;
  /** of the first byte, of all that the service printed in this boot */
  readonly offset: bigint;
  /** bytes before it that nobody could keep */
  readonly lost: bigint;
  /** the boot that it was printed in; offsets begin anew with each */
  readonly bootId: string;
};

/** {@link LogsResponse} with defaults for what is left out. */
export type LogsResponseInit = {
  readonly data?: Uint8Array | undefined;
  readonly offset?: bigint | undefined;
  readonly lost?: bigint | undefined;
  readonly bootId?: string | undefined;
};

export declare const LogsResponse: Codec<LogsResponse, LogsResponseInit>;

export type LogsContainersRequest = {
  /** Empty or `system`: of the node itself. All others are containers'. */
  readonly namespace: string;
};

/** {@link LogsContainersRequest} with defaults for what is left out. */
export type LogsContainersRequestInit = {
  readonly namespace?: string | undefined;
};

export declare const LogsContainersRequest: Codec<LogsContainersRequest, LogsContainersRequestInit>;

export type LogsContainersResponse = {
  /** sorted */
  readonly ids: readonly string[];
};

/** {@link LogsContainersResponse} with defaults for what is left out. */
export type LogsContainersResponseInit = {
  readonly ids?: readonly string[] | undefined;
};

export declare const LogsContainersResponse: Codec<LogsContainersResponse, LogsContainersResponseInit>;

export type NetstatRequest = {
  readonly filter: SocketFilter;
  /** 'tcp', 'tcp6', 'udp', 'udp6', 'udplite', 'udplite6', 'raw', 'raw6'; none: the four of TCP and UDP. */
  readonly protocols: readonly string[];
  /** Which processes have each socket open. */
  readonly processes: boolean;
  /** Of every pod, too. FAILED_PRECONDITION on a node that runs none. */
  readonly pods: boolean;
  /** Only of this one: 'namespace/pod'. */
  readonly pod: string;
};

/** {@link NetstatRequest} with defaults for what is left out. */
export type NetstatRequestInit = {
  readonly filter?: SocketFilter | undefined;
  readonly protocols?: readonly string[] | undefined;
  readonly processes?: boolean | undefined;
  readonly pods?: boolean | undefined;
  readonly pod?: string | undefined;
};

export declare const NetstatRequest: Codec<NetstatRequest, NetstatRequestInit>;

export type NetstatResponse = {
  readonly sockets: readonly Socket[];
};

/** {@link NetstatResponse} with defaults for what is left out. */
export type NetstatResponseInit = {
  readonly sockets?: readonly SocketInit[] | undefined;
};

export declare const NetstatResponse: Codec<NetstatResponse, NetstatResponseInit>;

export type Socket = {
  /** as they are asked for */
  readonly protocol: string;
  /** '10.0.0.5', 'fe80::1' */
  readonly localAddress: string;
  /** of a raw socket the number of its protocol */
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly state: SocketState;
  /** Bytes; of a listening socket of TCP the connections that wait, and how many may. */
  readonly receiveQueue: number;
  readonly sendQueue: number;
  readonly timer: SocketTimer;
  /** until it ends */
  readonly timerMillis: number;
  /** with the timers KEEPALIVE and PROBE: probes without an answer */
  readonly retransmits: number;
  readonly uid: number;
  /** 0: no process has it any more */
  readonly inode: bigint;
  readonly processes: readonly SocketProcess[];
  /** that it is bound to */
  readonly interface: string;
  readonly pod: string;
};

/** {@link Socket} with defaults for what is left out. */
export type SocketInit = {
  readonly protocol?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly state?: SocketState | undefined;
  readonly receiveQueue?: number | undefined;
  readonly sendQueue?: number | undefined;
  readonly timer?: SocketTimer | undefined;
  readonly timerMillis?: number | undefined;
  readonly retransmits?: number | undefined;
  readonly uid?: number | undefined;
  readonly inode?: bigint | undefined;
  readonly processes?: readonly SocketProcessInit[] | undefined;
  readonly interface?: string | undefined;
  readonly pod?: string | undefined;
};

export declare const Socket: Codec<Socket, SocketInit>;

export type SocketProcess = {
  readonly pid: number;
  readonly name: string;
};

/** {@link SocketProcess} with defaults for what is left out. */
export type SocketProcessInit = {
  readonly pid?: number | undefined;
  readonly name?: string | undefined;
};

export declare const SocketProcess: Codec<SocketProcess, SocketProcessInit>;

export type MemoryRequest = {
};

/** {@link MemoryRequest} with defaults for what is left out. */
export type MemoryRequestInit = {
};

export declare const MemoryRequest: Codec<MemoryRequest, MemoryRequestInit>;

export type MemoryResponse = {
  readonly values: readonly MemoryValue[];
};

/** {@link MemoryResponse} with defaults for what is left out. */
export type MemoryResponseInit = {
  readonly values?: readonly MemoryValueInit[] | undefined;
};

export declare const MemoryResponse: Codec<MemoryResponse, MemoryResponseInit>;

export type MemoryValue = {
  /** 'MemTotal' */
  readonly name: string;
  readonly value: bigint;
  /** 'kB', which means 1024 bytes; empty of a number of pages */
  readonly unit: string;
};

/** {@link MemoryValue} with defaults for what is left out. */
export type MemoryValueInit = {
  readonly name?: string | undefined;
  readonly value?: bigint | undefined;
  readonly unit?: string | undefined;
};

export declare const MemoryValue: Codec<MemoryValue, MemoryValueInit>;

export type SystemStatRequest = {
};

/** {@link SystemStatRequest} with defaults for what is left out. */
export type SystemStatRequestInit = {
};

export declare const SystemStatRequest: Codec<SystemStatRequest, SystemStatRequestInit>;

export type SystemStatResponse = {
  /** since the Unix epoch */
  readonly bootTimeSeconds: bigint;
  readonly total?: CpuTimes;
  /** In the order of the kernel; one that is switched off is missing. */
  readonly processors: readonly CpuTimes[];
  readonly interrupts: bigint;
  readonly softInterrupts: bigint;
  readonly softInterruptsByKind: readonly SoftInterrupts[];
  readonly contextSwitches: bigint;
  readonly processesCreated: bigint;
  readonly processesRunning: bigint;
  readonly processesBlocked: bigint;
};

/** {@link SystemStatResponse} with defaults for what is left out. */
export type SystemStatResponseInit = {
  readonly bootTimeSeconds?: bigint | undefined;
  readonly total?: CpuTimesInit | undefined;
  readonly processors?: readonly CpuTimesInit[] | undefined;
  readonly interrupts?: bigint | undefined;
  readonly softInterrupts?: bigint | undefined;
  readonly softInterruptsByKind?: readonly SoftInterruptsInit[] | undefined;
  readonly contextSwitches?: bigint | undefined;
  readonly processesCreated?: bigint | undefined;
  readonly processesRunning?: bigint | undefined;
  readonly processesBlocked?: bigint | undefined;
};

export declare const SystemStatResponse: Codec<SystemStatResponse, SystemStatResponseInit>;

export type SoftInterrupts = {
  /** 'NET_RX', as in /proc/softirqs */
  readonly kind: string;
  readonly count: bigint;
};

/** {@link SoftInterrupts} with defaults for what is left out. */
export type SoftInterruptsInit = {
  readonly kind?: string | undefined;
  readonly count?: bigint | undefined;
};

export declare const SoftInterrupts: Codec<SoftInterrupts, SoftInterruptsInit>;

/** Seconds since the boot. What is spent as a guest is part of `user` and `nice`, too. */
export type CpuTimes = {
  /** 'cpu0'; 'cpu' of all */
  readonly name: string;
  readonly user: number;
  readonly nice: number;
  readonly system: number;
  readonly idle: number;
  readonly iowait: number;
  readonly irq: number;
  readonly softIrq: number;
  readonly steal: number;
  readonly guest: number;
  readonly guestNice: number;
};

/** {@link CpuTimes} with defaults for what is left out. */
export type CpuTimesInit = {
  readonly name?: string | undefined;
  readonly user?: number | undefined;
  readonly nice?: number | undefined;
  readonly system?: number | undefined;
  readonly idle?: number | undefined;
  readonly iowait?: number | undefined;
  readonly irq?: number | undefined;
  readonly softIrq?: number | undefined;
  readonly steal?: number | undefined;
  readonly guest?: number | undefined;
  readonly guestNice?: number | undefined;
};

export declare const CpuTimes: Codec<CpuTimes, CpuTimesInit>;

export type LoadAvgRequest = {
};

/** {@link LoadAvgRequest} with defaults for what is left out. */
export type LoadAvgRequestInit = {
};

export declare const LoadAvgRequest: Codec<LoadAvgRequest, LoadAvgRequestInit>;

export type LoadAvgResponse = {
  readonly load1: number;
  readonly load5: number;
  readonly load15: number;
};

/** {@link LoadAvgResponse} with defaults for what is left out. */
export type LoadAvgResponseInit = {
  readonly load1?: number | undefined;
  readonly load5?: number | undefined;
  readonly load15?: number | undefined;
};

export declare const LoadAvgResponse: Codec<LoadAvgResponse, LoadAvgResponseInit>;

export type CpuInfoRequest = {
};

/** {@link CpuInfoRequest} with defaults for what is left out. */
export type CpuInfoRequestInit = {
};

export declare const CpuInfoRequest: Codec<CpuInfoRequest, CpuInfoRequestInit>;

export type CpuInfoResponse = {
  readonly processors: readonly Processor[];
};

/** {@link CpuInfoResponse} with defaults for what is left out. */
export type CpuInfoResponseInit = {
  readonly processors?: readonly ProcessorInit[] | undefined;
};

export declare const CpuInfoResponse: Codec<CpuInfoResponse, CpuInfoResponseInit>;

export type Processor = {
  readonly number: number;
  /** As the kernel names them: 'model name', 'cache size', 'flags'. Architectures differ in what they say. */
  readonly facts: Readonly<Record<string, string>>;
};

/** {@link Processor} with defaults for what is left out. */
export type ProcessorInit = {
  readonly number?: number | undefined;
  readonly facts?: Readonly<Record<string, string>> | undefined;
};

export declare const Processor: Codec<Processor, ProcessorInit>;

export type CpuFreqStatsRequest = {
};

/** {@link CpuFreqStatsRequest} with defaults for what is left out. */
export type CpuFreqStatsRequestInit = {
};

export declare const CpuFreqStatsRequest: Codec<CpuFreqStatsRequest, CpuFreqStatsRequestInit>;

export type CpuFreqStatsResponse = {
  readonly processors: readonly CpuFrequency[];
};

/** {@link CpuFreqStatsResponse} with defaults for what is left out. */
export type CpuFreqStatsResponseInit = {
  readonly processors?: readonly CpuFrequencyInit[] | undefined;
};

export declare const CpuFreqStatsResponse: Codec<CpuFreqStatsResponse, CpuFreqStatsResponseInit>;

export type CpuFrequency = {
  readonly number: number;
  readonly currentHertz?: bigint;
  readonly minimumHertz?: bigint;
  readonly maximumHertz?: bigint;
  /** 'performance' */
  readonly governor: string;
};

/** {@link CpuFrequency} with defaults for what is left out. */
export type CpuFrequencyInit = {
  readonly number?: number | undefined;
  readonly currentHertz?: bigint | undefined;
  readonly minimumHertz?: bigint | undefined;
  readonly maximumHertz?: bigint | undefined;
  readonly governor?: string | undefined;
};

export declare const CpuFrequency: Codec<CpuFrequency, CpuFrequencyInit>;

export type DiskStatsRequest = {
};

/** {@link DiskStatsRequest} with defaults for what is left out. */
export type DiskStatsRequestInit = {
};

export declare const DiskStatsRequest: Codec<DiskStatsRequest, DiskStatsRequestInit>;

export type DiskStatsResponse = {
  /** Of whole disks, without their partitions and without what is made of other devices: each transfer once. */
  readonly total?: DiskCounters;
  readonly devices: readonly DiskCounters[];
};

/** {@link DiskStatsResponse} with defaults for what is left out. */
export type DiskStatsResponseInit = {
  readonly total?: DiskCountersInit | undefined;
  readonly devices?: readonly DiskCountersInit[] | undefined;
};

export declare const DiskStatsResponse: Codec<DiskStatsResponse, DiskStatsResponseInit>;

export type DiskCounters = {
  /** 'nvme0n1'; empty of the total */
  readonly name: string;
  readonly reads: bigint;
  readonly readsMerged: bigint;
  /** of 512 bytes, whatever the device has */
  readonly sectorsRead: bigint;
  readonly readMillis: bigint;
  readonly writes: bigint;
  readonly writesMerged: bigint;
  readonly sectorsWritten: bigint;
  readonly writeMillis: bigint;
  readonly inProgress: bigint;
  readonly busyMillis: bigint;
  readonly weightedMillis: bigint;
  readonly discards?: bigint;
  readonly discardsMerged?: bigint;
  readonly sectorsDiscarded?: bigint;
  readonly discardMillis?: bigint;
  readonly flushes?: bigint;
  readonly flushMillis?: bigint;
};

/** {@link DiskCounters} with defaults for what is left out. */
export type DiskCountersInit = {
  readonly name?: string | undefined;
  readonly reads?: bigint | undefined;
  readonly readsMerged?: bigint | undefined;
  readonly sectorsRead?: bigint | undefined;
  readonly readMillis?: bigint | undefined;
  readonly writes?: bigint | undefined;
  readonly writesMerged?: bigint | undefined;
  readonly sectorsWritten?: bigint | undefined;
  readonly writeMillis?: bigint | undefined;
  readonly inProgress?: bigint | undefined;
  readonly busyMillis?: bigint | undefined;
  readonly weightedMillis?: bigint | undefined;
  readonly discards?: bigint | undefined;
  readonly discardsMerged?: bigint | undefined;
  readonly sectorsDiscarded?: bigint | undefined;
  readonly discardMillis?: bigint | undefined;
  readonly flushes?: bigint | undefined;
  readonly flushMillis?: bigint | undefined;
};

export declare const DiskCounters: Codec<DiskCounters, DiskCountersInit>;

export type NetworkDeviceStatsRequest = {
};

/** {@link NetworkDeviceStatsRequest} with defaults for what is left out. */
export type NetworkDeviceStatsRequestInit = {
};

export declare const NetworkDeviceStatsRequest: Codec<NetworkDeviceStatsRequest, NetworkDeviceStatsRequestInit>;

export type NetworkDeviceStatsResponse = {
  /** Without loopback. */
  readonly total?: NetworkDeviceCounters;
  readonly devices: readonly NetworkDeviceCounters[];
};

/** {@link NetworkDeviceStatsResponse} with defaults for what is left out. */
export type NetworkDeviceStatsResponseInit = {
  readonly total?: NetworkDeviceCountersInit | undefined;
  readonly devices?: readonly NetworkDeviceCountersInit[] | undefined;
};

export declare const NetworkDeviceStatsResponse: Codec<NetworkDeviceStatsResponse, NetworkDeviceStatsResponseInit>;

export type NetworkDeviceCounters = {
  /** 'eth0'; empty of the total */
  readonly name: string;
  readonly receivedBytes: bigint;
  readonly receivedPackets: bigint;
  readonly receiveErrors: bigint;
  readonly receiveDropped: bigint;
  readonly receiveFifo: bigint;
  readonly receiveFrame: bigint;
  readonly receiveCompressed: bigint;
  readonly receiveMulticast: bigint;
  readonly sentBytes: bigint;
  readonly sentPackets: bigint;
  readonly sendErrors: bigint;
  readonly sendDropped: bigint;
  readonly sendFifo: bigint;
  readonly sendCollisions: bigint;
  readonly sendCarrier: bigint;
  readonly sendCompressed: bigint;
};

/** {@link NetworkDeviceCounters} with defaults for what is left out. */
export type NetworkDeviceCountersInit = {
  readonly name?: string | undefined;
  readonly receivedBytes?: bigint | undefined;
  readonly receivedPackets?: bigint | undefined;
  readonly receiveErrors?: bigint | undefined;
  readonly receiveDropped?: bigint | undefined;
  readonly receiveFifo?: bigint | undefined;
  readonly receiveFrame?: bigint | undefined;
  readonly receiveCompressed?: bigint | undefined;
  readonly receiveMulticast?: bigint | undefined;
  readonly sentBytes?: bigint | undefined;
  readonly sentPackets?: bigint | undefined;
  readonly sendErrors?: bigint | undefined;
  readonly sendDropped?: bigint | undefined;
  readonly sendFifo?: bigint | undefined;
  readonly sendCollisions?: bigint | undefined;
  readonly sendCarrier?: bigint | undefined;
  readonly sendCompressed?: bigint | undefined;
};

export declare const NetworkDeviceCounters: Codec<NetworkDeviceCounters, NetworkDeviceCountersInit>;

export type ProveEmptyRequest = {
  /** 'sda', 'nvme0n1p2', '/dev/sda', or a link that the node has to it: '/dev/disk/by-id/…' */
  readonly device: string;
};

/** {@link ProveEmptyRequest} with defaults for what is left out. */
export type ProveEmptyRequestInit = {
  readonly device?: string | undefined;
};

export declare const ProveEmptyRequest: Codec<ProveEmptyRequest, ProveEmptyRequestInit>;

export type ProveEmptyResponse = {
  /** as the kernel names it */
  readonly device: string;
  readonly devPath: string;
  readonly empty: boolean;
  /** Everything that speaks against it, one sentence each; none when it is empty. */
  readonly reasons: readonly string[];
  /** What the answer rests on; absent when the device does not answer, or a volume is at work on its disk. */
  readonly receipt?: EmptinessReceipt;
};

/** {@link ProveEmptyResponse} with defaults for what is left out. */
export type ProveEmptyResponseInit = {
  readonly device?: string | undefined;
  readonly devPath?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly receipt?: EmptinessReceiptInit | undefined;
};

export declare const ProveEmptyResponse: Codec<ProveEmptyResponse, ProveEmptyResponseInit>;

export type EmptinessReceipt = {
  readonly sizeBytes: bigint;
  /** since the epoch */
  readonly begunMillis: bigint;
  readonly durationMillis: bigint;
  /** what needs longer is not proven */
  readonly limitMillis: bigint;
  /** What was read and is zero, unless `found` says otherwise. It ends with the first thing that is found. */
  readonly read: readonly ReadRanges[];
  /** Where libblkid looked for signatures, as if a device began there, in bytes. */
  readonly probedAt: readonly bigint[];
  /** what has backups that were looked for */
  readonly backupsOf: readonly string[];
  /** Of the map of a file behind the device: 'read', or 'sampled'; empty when there is none. */
  readonly map: string;
  /** why there is none */
  readonly mapUnknown: string;
  /** who uses it, one sentence each */
  readonly users: readonly string[];
  /** what it holds */
  readonly found: readonly string[];
  /** what could not be read, or not in time */
  readonly unproven: readonly string[];
};

/** {@link EmptinessReceipt} with defaults for what is left out. */
export type EmptinessReceiptInit = {
  readonly sizeBytes?: bigint | undefined;
  readonly begunMillis?: bigint | undefined;
  readonly durationMillis?: bigint | undefined;
  readonly limitMillis?: bigint | undefined;
  readonly read?: readonly ReadRangesInit[] | undefined;
  readonly probedAt?: readonly bigint[] | undefined;
  readonly backupsOf?: readonly string[] | undefined;
  readonly map?: string | undefined;
  readonly mapUnknown?: string | undefined;
  readonly users?: readonly string[] | undefined;
  readonly found?: readonly string[] | undefined;
  readonly unproven?: readonly string[] | undefined;
};

export declare const EmptinessReceipt: Codec<EmptinessReceipt, EmptinessReceiptInit>;

export type ReadRanges = {
  /** 'edges', 'backups', 'windows', 'extents' */
  readonly purpose: string;
  readonly ranges: readonly ByteRange[];
};

/** {@link ReadRanges} with defaults for what is left out. */
export type ReadRangesInit = {
  readonly purpose?: string | undefined;
  readonly ranges?: readonly ByteRangeInit[] | undefined;
};

export declare const ReadRanges: Codec<ReadRanges, ReadRangesInit>;

export type ByteRange = {
  readonly offsetBytes: bigint;
  readonly sizeBytes: bigint;
};

/** {@link ByteRange} with defaults for what is left out. */
export type ByteRangeInit = {
  readonly offsetBytes?: bigint | undefined;
  readonly sizeBytes?: bigint | undefined;
};

export declare const ByteRange: Codec<ByteRange, ByteRangeInit>;

export type WipeRequest = {
  /** as the kernel names them: 'sda', 'nvme0n1p2' */
  readonly devices: readonly string[];
  readonly method: WipeMethod;
  /** Of a partition: also its entry in the table, after its content. */
  readonly dropPartition: boolean;
  /** Check, say what would be done, change nothing. */
  readonly dryRun: boolean;
  /** What a dry run has told of the devices, in their order: another device that has got a name meanwhile is not wiped. */
  readonly identities: readonly string[];
};

/** {@link WipeRequest} with defaults for what is left out. */
export type WipeRequestInit = {
  readonly devices?: readonly string[] | undefined;
  readonly method?: WipeMethod | undefined;
  readonly dropPartition?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly identities?: readonly string[] | undefined;
};

export declare const WipeRequest: Codec<WipeRequest, WipeRequestInit>;

export type WipeVolumesRequest = {
  /** ids: 'u-data', 'EPHEMERAL' */
  readonly volumes: readonly string[];
  readonly method: WipeMethod;
  /** Check, say what would be done, change nothing. */
  readonly dryRun: boolean;
};

/** {@link WipeVolumesRequest} with defaults for what is left out. */
export type WipeVolumesRequestInit = {
  readonly volumes?: readonly string[] | undefined;
  readonly method?: WipeMethod | undefined;
  readonly dryRun?: boolean | undefined;
};

export declare const WipeVolumesRequest: Codec<WipeVolumesRequest, WipeVolumesRequestInit>;

export type WipeResponse = {
  /** or the id of a volume */
  readonly device: string;
  readonly state: WipeState;
  /** What is on it: 'xfs', 'luks'; of PLANNED and the first RUNNING. */
  readonly content: string;
  readonly sizeBytes: bigint;
  readonly doneBytes: bigint;
  /** Volumes whose documents match the disk, and may take it as soon as it is blank. */
  readonly takers: readonly string[];
  /** Of a volume: those that lie on it, and are closed meanwhile. */
  readonly closes: readonly string[];
  /** of FAILED, for people */
  readonly message: string;
  /** of FAILED: 'ERR_BLOCK_BUSY', … */
  readonly code: string;
  /** the same as long as it is this device with this content */
  readonly identity: string;
};

/** {@link WipeResponse} with defaults for what is left out. */
export type WipeResponseInit = {
  readonly device?: string | undefined;
  readonly state?: WipeState | undefined;
  readonly content?: string | undefined;
  readonly sizeBytes?: bigint | undefined;
  readonly doneBytes?: bigint | undefined;
  readonly takers?: readonly string[] | undefined;
  readonly closes?: readonly string[] | undefined;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly identity?: string | undefined;
};

export declare const WipeResponse: Codec<WipeResponse, WipeResponseInit>;

export type ResetRequest = {
  /** Leave the kvstore in order first, where its data goes; a node that can't is left as it is. */
  readonly graceful: boolean;
  /** Begin the machine anew afterwards; otherwise the agent alone. */
  readonly reboot: boolean;
  readonly mode: ResetMode;
  /** 'STATE', 'EPHEMERAL', …; none: all of them that are there, and what META keeps. */
  readonly systemLabels: readonly string[];
  /** 'sdb' or '/dev/sdb' */
  readonly userDisks: readonly string[];
  /** Check, say what would be done, change nothing. */
  readonly dryRun: boolean;
  /** Of what a dry run has told: something else is not wiped. */
  readonly digest: string;
};

/** {@link ResetRequest} with defaults for what is left out. */
export type ResetRequestInit = {
  readonly graceful?: boolean | undefined;
  readonly reboot?: boolean | undefined;
  readonly mode?: ResetMode | undefined;
  readonly systemLabels?: readonly string[] | undefined;
  readonly userDisks?: readonly string[] | undefined;
  readonly dryRun?: boolean | undefined;
  readonly digest?: string | undefined;
};

export declare const ResetRequest: Codec<ResetRequest, ResetRequestInit>;

export type ResetResponse = {
  readonly step: ResetStep;
  /** a label or a disk; of PLANNED and WIPING */
  readonly name: string;
  readonly devPath: string;
  /** what is on it: 'xfs', 'luks'; of PLANNED */
  readonly content: string;
  readonly sizeBytes: bigint;
  readonly doneBytes: bigint;
  /** of PLANNED: of the plan as a whole */
  readonly digest: string;
  /** for people: why it failed, and what comes next */
  readonly message: string;
  /** of FAILED */
  readonly code: string;
  /** of the reset, in the node's events; not of PLANNED */
  readonly actorId: string;
};

/** {@link ResetResponse} with defaults for what is left out. */
export type ResetResponseInit = {
  readonly step?: ResetStep | undefined;
  readonly name?: string | undefined;
  readonly devPath?: string | undefined;
  readonly content?: string | undefined;
  readonly sizeBytes?: bigint | undefined;
  readonly doneBytes?: bigint | undefined;
  readonly digest?: string | undefined;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly actorId?: string | undefined;
};

export declare const ResetResponse: Codec<ResetResponse, ResetResponseInit>;

export type TimeRequest = {
  /** Empty: the first of those that the clock of the node follows. */
  readonly server: string;
};

/** {@link TimeRequest} with defaults for what is left out. */
export type TimeRequestInit = {
  readonly server?: string | undefined;
};

export declare const TimeRequest: Codec<TimeRequest, TimeRequestInit>;

export type TimeResponse = {
  /** who was asked */
  readonly server: string;
  /** where it answered from; empty of a clock of the machine */
  readonly address: string;
  /** since the Unix epoch */
  readonly localMicros: bigint;
  /** at the same moment, as far as that can be known */
  readonly remoteMicros: bigint;
  /** what has to be added to the node's clock */
  readonly offsetMicros: bigint;
  readonly roundTripMicros: bigint;
  /** 1: has a clock of its own; 0 of a clock of the machine */
  readonly stratum: number;
};

/** {@link TimeResponse} with defaults for what is left out. */
export type TimeResponseInit = {
  readonly server?: string | undefined;
  readonly address?: string | undefined;
  readonly localMicros?: bigint | undefined;
  readonly remoteMicros?: bigint | undefined;
  readonly offsetMicros?: bigint | undefined;
  readonly roundTripMicros?: bigint | undefined;
  readonly stratum?: number | undefined;
};

export declare const TimeResponse: Codec<TimeResponse, TimeResponseInit>;

export type TrimRequest = {
  /** ids, 'u-data'; none: every volume of the configuration */
  readonly volumes: readonly string[];
  /** Say what would be done, change nothing. */
  readonly dryRun: boolean;
};

/** {@link TrimRequest} with defaults for what is left out. */
export type TrimRequestInit = {
  readonly volumes?: readonly string[] | undefined;
  readonly dryRun?: boolean | undefined;
};

export declare const TrimRequest: Codec<TrimRequest, TrimRequestInit>;

export type TrimResponse = {
  readonly volume: string;
  readonly state: TrimState;
  /** How far it is. */
  readonly doneBytes: bigint;
  readonly totalBytes: bigint;
  /** As the filesystem counts: ext4 what it discarded, xfs what it looked at. */
  readonly trimmedBytes: bigint;
  readonly ranges: number;
  /** of DONE */
  readonly durationMillis: bigint;
  /** of all pauses so far */
  readonly pausedMillis: bigint;
  readonly disks: readonly string[];
  /** for people */
  readonly message: string;
  /** of SKIPPED: 'encryption', …; of FAILED: 'ERR_TRIM_DEVICE', … */
  readonly code: string;
  /** of FAILED: 'transient', 'needs-operator', 'fatal' */
  readonly permanence: string;
};

/** {@link TrimResponse} with defaults for what is left out. */
export type TrimResponseInit = {
  readonly volume?: string | undefined;
  readonly state?: TrimState | undefined;
  readonly doneBytes?: bigint | undefined;
  readonly totalBytes?: bigint | undefined;
  readonly trimmedBytes?: bigint | undefined;
  readonly ranges?: number | undefined;
  readonly durationMillis?: bigint | undefined;
  readonly pausedMillis?: bigint | undefined;
  readonly disks?: readonly string[] | undefined;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly permanence?: string | undefined;
};

export declare const TrimResponse: Codec<TrimResponse, TrimResponseInit>;

export type RotateKeysRequest = {
  /** ids, 'u-data'; none: every encrypted volume */
  readonly volumes: readonly string[];
  /** None: every configured slot. A slot that asks for more than the new key would, a PIN for instance, is replaced only
   * when it is named here. */
  readonly slots: readonly number[];
  /** Say what would be done, change nothing. */
  readonly dryRun: boolean;
};

/** {@link RotateKeysRequest} with defaults for what is left out. */
export type RotateKeysRequestInit = {
  readonly volumes?: readonly string[] | undefined;
  readonly slots?: readonly number[] | undefined;
  readonly dryRun?: boolean | undefined;
};

export declare const RotateKeysRequest: Codec<RotateKeysRequest, RotateKeysRequestInit>;

export type RotateKeysResponse = {
  readonly volume: string;
  /** Absent: about the volume as a whole. */
  readonly slot?: number;
  /** 'tpm' */
  readonly kind: string;
  readonly state: RotationState;
  /** for people; never a secret */
  readonly message: string;
  /** of FAILED */
  readonly code: string;
  /** of FAILED: 'transient', 'needs-operator', 'fatal' */
  readonly permanence: string;
};

/** {@link RotateKeysResponse} with defaults for what is left out. */
export type RotateKeysResponseInit = {
  readonly volume?: string | undefined;
  readonly slot?: number | undefined;
  readonly kind?: string | undefined;
  readonly state?: RotationState | undefined;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly permanence?: string | undefined;
};

export declare const RotateKeysResponse: Codec<RotateKeysResponse, RotateKeysResponseInit>;

export type AddRecoveryKeyRequest = {
  readonly volume: string;
  /** the text of the recovery key, as it is typed */
  readonly key: Uint8Array;
};

/** {@link AddRecoveryKeyRequest} with defaults for what is left out. */
export type AddRecoveryKeyRequestInit = {
  readonly volume?: string | undefined;
  readonly key?: Uint8Array | undefined;
};

export declare const AddRecoveryKeyRequest: Codec<AddRecoveryKeyRequest, AddRecoveryKeyRequestInit>;

export type AddRecoveryKeyResponse = {
  readonly slot: number;
};

/** {@link AddRecoveryKeyResponse} with defaults for what is left out. */
export type AddRecoveryKeyResponseInit = {
  readonly slot?: number | undefined;
};

export declare const AddRecoveryKeyResponse: Codec<AddRecoveryKeyResponse, AddRecoveryKeyResponseInit>;

export type BackupHeaderRequest = {
  readonly volume: string;
};

/** {@link BackupHeaderRequest} with defaults for what is left out. */
export type BackupHeaderRequestInit = {
  readonly volume?: string | undefined;
};

export declare const BackupHeaderRequest: Codec<BackupHeaderRequest, BackupHeaderRequestInit>;

export type BackupHeaderResponse = {
  readonly data: Uint8Array;
};

/** {@link BackupHeaderResponse} with defaults for what is left out. */
export type BackupHeaderResponseInit = {
  readonly data?: Uint8Array | undefined;
};

export declare const BackupHeaderResponse: Codec<BackupHeaderResponse, BackupHeaderResponseInit>;

export type RestoreHeaderRequest = {
  /** in the first message */
  readonly volume: string;
  readonly data: Uint8Array;
  /** in the first message */
  readonly force: boolean;
};

/** {@link RestoreHeaderRequest} with defaults for what is left out. */
export type RestoreHeaderRequestInit = {
  readonly volume?: string | undefined;
  readonly data?: Uint8Array | undefined;
  readonly force?: boolean | undefined;
};

export declare const RestoreHeaderRequest: Codec<RestoreHeaderRequest, RestoreHeaderRequestInit>;

export type RestoreHeaderResponse = {
  readonly uuid: string;
};

/** {@link RestoreHeaderResponse} with defaults for what is left out. */
export type RestoreHeaderResponseInit = {
  readonly uuid?: string | undefined;
};

export declare const RestoreHeaderResponse: Codec<RestoreHeaderResponse, RestoreHeaderResponseInit>;

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

/** What the .proto says about the callers of every method, by path. */
export declare const requirements: {
  readonly [path: string]: { readonly roles: readonly string[]; readonly maintenance: boolean };
};

export declare const CaptureService: {
  readonly capture: Method<CaptureRequest, CaptureRequestInit, CaptureResponse, CaptureResponseInit, true, false>;
  readonly stop: Method<StopCaptureRequest, StopCaptureRequestInit, StopCaptureResponse, StopCaptureResponseInit, false, false>;
  readonly interfaces: Method<CaptureInterfacesRequest, CaptureInterfacesRequestInit, CaptureInterfacesResponse, CaptureInterfacesResponseInit, false, false>;
  readonly files: Method<CaptureFilesRequest, CaptureFilesRequestInit, CaptureFilesResponse, CaptureFilesResponseInit, false, false>;
  readonly readFile: Method<ReadCaptureFileRequest, ReadCaptureFileRequestInit, ReadCaptureFileResponse, ReadCaptureFileResponseInit, true, false>;
  readonly removeFile: Method<RemoveCaptureFileRequest, RemoveCaptureFileRequestInit, RemoveCaptureFileResponse, RemoveCaptureFileResponseInit, false, false>;
};

/** What a server of CaptureService implements. */
export type CaptureServiceHandlers = {
  readonly capture: handleServerStreamingCall<CaptureRequest, CaptureResponseInit>;
  readonly stop: handleUnaryCall<StopCaptureRequest, StopCaptureResponseInit>;
  readonly interfaces: handleUnaryCall<CaptureInterfacesRequest, CaptureInterfacesResponseInit>;
  readonly files: handleUnaryCall<CaptureFilesRequest, CaptureFilesResponseInit>;
  readonly readFile: handleServerStreamingCall<ReadCaptureFileRequest, ReadCaptureFileResponseInit>;
  readonly removeFile: handleUnaryCall<RemoveCaptureFileRequest, RemoveCaptureFileResponseInit>;
};

export declare const CgroupService: {
  readonly read: Method<ReadCgroupsRequest, ReadCgroupsRequestInit, CgroupsResponse, CgroupsResponseInit, true, false>;
  readonly watch: Method<WatchCgroupsRequest, WatchCgroupsRequestInit, CgroupsResponse, CgroupsResponseInit, true, false>;
  readonly pressure: Method<PressureRequest, PressureRequestInit, PressureResponse, PressureResponseInit, true, false>;
};

/** What a server of CgroupService implements. */
export type CgroupServiceHandlers = {
  readonly read: handleServerStreamingCall<ReadCgroupsRequest, CgroupsResponseInit>;
  readonly watch: handleServerStreamingCall<WatchCgroupsRequest, CgroupsResponseInit>;
  readonly pressure: handleServerStreamingCall<PressureRequest, PressureResponseInit>;
};

export declare const ContainerService: {
  readonly containers: Method<ContainersRequest, ContainersRequestInit, ContainersResponse, ContainersResponseInit, false, false>;
  readonly containerStats: Method<ContainerStatsRequest, ContainerStatsRequestInit, ContainerStatsResponse, ContainerStatsResponseInit, false, false>;
  readonly imageList: Method<ImageListRequest, ImageListRequestInit, ImageListResponse, ImageListResponseInit, true, false>;
  readonly imagePull: Method<ImagePullRequest, ImagePullRequestInit, ImagePullResponse, ImagePullResponseInit, true, false>;
  readonly imageImport: Method<ImageImportRequest, ImageImportRequestInit, ImageImportResponse, ImageImportResponseInit, false, true>;
  readonly imageRemove: Method<ImageRemoveRequest, ImageRemoveRequestInit, ImageRemoveResponse, ImageRemoveResponseInit, false, false>;
};

/** What a server of ContainerService implements. */
export type ContainerServiceHandlers = {
  readonly containers: handleUnaryCall<ContainersRequest, ContainersResponseInit>;
  readonly containerStats: handleUnaryCall<ContainerStatsRequest, ContainerStatsResponseInit>;
  readonly imageList: handleServerStreamingCall<ImageListRequest, ImageListResponseInit>;
  readonly imagePull: handleServerStreamingCall<ImagePullRequest, ImagePullResponseInit>;
  readonly imageImport: handleClientStreamingCall<ImageImportRequest, ImageImportResponseInit>;
  readonly imageRemove: handleUnaryCall<ImageRemoveRequest, ImageRemoveResponseInit>;
};

export declare const EventService: {
  readonly events: Method<EventsRequest, EventsRequestInit, EventsResponse, EventsResponseInit, true, false>;
};

/** What a server of EventService implements. */
export type EventServiceHandlers = {
  readonly events: handleServerStreamingCall<EventsRequest, EventsResponseInit>;
};

export declare const EventSink: {
  readonly publish: Method<PublishRequest, PublishRequestInit, PublishResponse, PublishResponseInit, false, false>;
};

/** What a server of EventSink implements. */
export type EventSinkHandlers = {
  readonly publish: handleUnaryCall<PublishRequest, PublishResponseInit>;
};

export declare const FileService: {
  readonly list: Method<ListFilesRequest, ListFilesRequestInit, ListFilesResponse, ListFilesResponseInit, true, false>;
  readonly usage: Method<FileUsageRequest, FileUsageRequestInit, FileUsageResponse, FileUsageResponseInit, true, false>;
  readonly read: Method<ReadFileRequest, ReadFileRequestInit, ReadFileResponse, ReadFileResponseInit, true, false>;
  readonly copy: Method<CopyFilesRequest, CopyFilesRequestInit, CopyFilesResponse, CopyFilesResponseInit, true, false>;
};

/** What a server of FileService implements. */
export type FileServiceHandlers = {
  readonly list: handleServerStreamingCall<ListFilesRequest, ListFilesResponseInit>;
  readonly usage: handleServerStreamingCall<FileUsageRequest, FileUsageResponseInit>;
  readonly read: handleServerStreamingCall<ReadFileRequest, ReadFileResponseInit>;
  readonly copy: handleServerStreamingCall<CopyFilesRequest, CopyFilesResponseInit>;
};

export declare const InspectService: {
  readonly controllerRuntimeDependencies: Method<ControllerRuntimeDependenciesRequest, ControllerRuntimeDependenciesRequestInit, ControllerRuntimeDependenciesResponse, ControllerRuntimeDependenciesResponseInit, false, false>;
  readonly health: Method<HealthRequest, HealthRequestInit, HealthResponse, HealthResponseInit, false, false>;
  readonly cpuProfile: Method<CpuProfileRequest, CpuProfileRequestInit, ProfileResponse, ProfileResponseInit, true, false>;
  readonly heapSnapshot: Method<HeapSnapshotRequest, HeapSnapshotRequestInit, ProfileResponse, ProfileResponseInit, true, false>;
};

/** What a server of InspectService implements. */
export type InspectServiceHandlers = {
  readonly controllerRuntimeDependencies: handleUnaryCall<ControllerRuntimeDependenciesRequest, ControllerRuntimeDependenciesResponseInit>;
  readonly health: handleUnaryCall<HealthRequest, HealthResponseInit>;
  readonly cpuProfile: handleServerStreamingCall<CpuProfileRequest, ProfileResponseInit>;
  readonly heapSnapshot: handleServerStreamingCall<HeapSnapshotRequest, ProfileResponseInit>;
};

export declare const KernelLogService: {
  readonly dmesg: Method<DmesgRequest, DmesgRequestInit, DmesgResponse, DmesgResponseInit, true, false>;
};

/** What a server of KernelLogService implements. */
export type KernelLogServiceHandlers = {
  readonly dmesg: handleServerStreamingCall<DmesgRequest, DmesgResponseInit>;
};

export declare const KvstoreService: {
  readonly status: Method<KvstoreStatusRequest, KvstoreStatusRequestInit, KvstoreStatusResponse, KvstoreStatusResponseInit, false, false>;
  readonly members: Method<KvstoreMembersRequest, KvstoreMembersRequestInit, KvstoreMembersResponse, KvstoreMembersResponseInit, false, false>;
  readonly alarms: Method<KvstoreAlarmsRequest, KvstoreAlarmsRequestInit, KvstoreAlarmsResponse, KvstoreAlarmsResponseInit, false, false>;
  readonly disarmAlarms: Method<DisarmAlarmsRequest, DisarmAlarmsRequestInit, DisarmAlarmsResponse, DisarmAlarmsResponseInit, false, false>;
  readonly snapshot: Method<KvstoreSnapshotRequest, KvstoreSnapshotRequestInit, KvstoreSnapshotResponse, KvstoreSnapshotResponseInit, true, false>;
  readonly defragment: Method<DefragmentRequest, DefragmentRequestInit, DefragmentResponse, DefragmentResponseInit, true, false>;
  readonly recoverSpace: Method<RecoverSpaceRequest, RecoverSpaceRequestInit, RecoverSpaceResponse, RecoverSpaceResponseInit, true, false>;
  readonly forfeitLeadership: Method<ForfeitLeadershipRequest, ForfeitLeadershipRequestInit, ForfeitLeadershipResponse, ForfeitLeadershipResponseInit, false, false>;
  readonly leave: Method<LeaveKvstoreRequest, LeaveKvstoreRequestInit, LeaveKvstoreResponse, LeaveKvstoreResponseInit, false, false>;
  readonly removeMember: Method<RemoveMemberRequest, RemoveMemberRequestInit, RemoveMemberResponse, RemoveMemberResponseInit, false, false>;
  readonly downgrade: Method<DowngradeRequest, DowngradeRequestInit, DowngradeResponse, DowngradeResponseInit, false, false>;
  readonly recover: Method<RecoverRequest, RecoverRequestInit, RecoverResponse, RecoverResponseInit, false, true>;
  readonly bootstrap: Method<BootstrapRequest, BootstrapRequestInit, BootstrapResponse, BootstrapResponseInit, true, false>;
};

/** What a server of KvstoreService implements. */
export type KvstoreServiceHandlers = {
  readonly status: handleUnaryCall<KvstoreStatusRequest, KvstoreStatusResponseInit>;
  readonly members: handleUnaryCall<KvstoreMembersRequest, KvstoreMembersResponseInit>;
  readonly alarms: handleUnaryCall<KvstoreAlarmsRequest, KvstoreAlarmsResponseInit>;
  readonly disarmAlarms: handleUnaryCall<DisarmAlarmsRequest, DisarmAlarmsResponseInit>;
  readonly snapshot: handleServerStreamingCall<KvstoreSnapshotRequest, KvstoreSnapshotResponseInit>;
  readonly defragment: handleServerStreamingCall<DefragmentRequest, DefragmentResponseInit>;
  readonly recoverSpace: handleServerStreamingCall<RecoverSpaceRequest, RecoverSpaceResponseInit>;
  readonly forfeitLeadership: handleUnaryCall<ForfeitLeadershipRequest, ForfeitLeadershipResponseInit>;
  readonly leave: handleUnaryCall<LeaveKvstoreRequest, LeaveKvstoreResponseInit>;
  readonly removeMember: handleUnaryCall<RemoveMemberRequest, RemoveMemberResponseInit>;
  readonly downgrade: handleUnaryCall<DowngradeRequest, DowngradeResponseInit>;
  readonly recover: handleClientStreamingCall<RecoverRequest, RecoverResponseInit>;
  readonly bootstrap: handleServerStreamingCall<BootstrapRequest, BootstrapResponseInit>;
};

export declare const LifecycleService: {
  readonly install: Method<InstallRequest, InstallRequestInit, InstallResponse, InstallResponseInit, true, false>;
  readonly upgrade: Method<UpgradeRequest, UpgradeRequestInit, UpgradeResponse, UpgradeResponseInit, true, false>;
};

/** What a server of LifecycleService implements. */
export type LifecycleServiceHandlers = {
  readonly install: handleServerStreamingCall<InstallRequest, InstallResponseInit>;
  readonly upgrade: handleServerStreamingCall<UpgradeRequest, UpgradeResponseInit>;
};

export declare const MachineService: {
  readonly applyConfiguration: Method<ApplyConfigurationRequest, ApplyConfigurationRequestInit, ApplyConfigurationResponse, ApplyConfigurationResponseInit, false, false>;
  readonly version: Method<VersionRequest, VersionRequestInit, VersionResponse, VersionResponseInit, false, false>;
  readonly mounts: Method<MountsRequest, MountsRequestInit, MountsResponse, MountsResponseInit, false, false>;
  readonly access: Method<AccessRequest, AccessRequestInit, AccessResponse, AccessResponseInit, false, false>;
  readonly reboot: Method<RebootRequest, RebootRequestInit, RebootResponse, RebootResponseInit, false, false>;
  readonly shutdown: Method<ShutdownRequest, ShutdownRequestInit, ShutdownResponse, ShutdownResponseInit, false, false>;
  readonly metaWrite: Method<MetaWriteRequest, MetaWriteRequestInit, MetaWriteResponse, MetaWriteResponseInit, false, false>;
  readonly metaDelete: Method<MetaDeleteRequest, MetaDeleteRequestInit, MetaDeleteResponse, MetaDeleteResponseInit, false, false>;
  readonly rollback: Method<RollbackRequest, RollbackRequestInit, RollbackResponse, RollbackResponseInit, false, false>;
  readonly generateClientConfiguration: Method<GenerateClientConfigurationRequest, GenerateClientConfigurationRequestInit, GenerateClientConfigurationResponse, GenerateClientConfigurationResponseInit, false, false>;
};

/** What a server of MachineService implements. */
export type MachineServiceHandlers = {
  readonly applyConfiguration: handleUnaryCall<ApplyConfigurationRequest, ApplyConfigurationResponseInit>;
  readonly version: handleUnaryCall<VersionRequest, VersionResponseInit>;
  readonly mounts: handleUnaryCall<MountsRequest, MountsResponseInit>;
  readonly access: handleUnaryCall<AccessRequest, AccessResponseInit>;
  readonly reboot: handleUnaryCall<RebootRequest, RebootResponseInit>;
  readonly shutdown: handleUnaryCall<ShutdownRequest, ShutdownResponseInit>;
  readonly metaWrite: handleUnaryCall<MetaWriteRequest, MetaWriteResponseInit>;
  readonly metaDelete: handleUnaryCall<MetaDeleteRequest, MetaDeleteResponseInit>;
  readonly rollback: handleUnaryCall<RollbackRequest, RollbackResponseInit>;
  readonly generateClientConfiguration: handleUnaryCall<GenerateClientConfigurationRequest, GenerateClientConfigurationResponseInit>;
};

export declare const ProcessService: {
  readonly processes: Method<ProcessesRequest, ProcessesRequestInit, ProcessesResponse, ProcessesResponseInit, true, false>;
};

/** What a server of ProcessService implements. */
export type ProcessServiceHandlers = {
  readonly processes: handleServerStreamingCall<ProcessesRequest, ProcessesResponseInit>;
};

export declare const ResourceService: {
  readonly get: Method<GetRequest, GetRequestInit, GetResponse, GetResponseInit, false, false>;
  readonly list: Method<ListRequest, ListRequestInit, ListResponse, ListResponseInit, true, false>;
  readonly watch: Method<WatchRequest, WatchRequestInit, WatchResponse, WatchResponseInit, true, false>;
};

/** What a server of ResourceService implements. */
export type ResourceServiceHandlers = {
  readonly get: handleUnaryCall<GetRequest, GetResponseInit>;
  readonly list: handleServerStreamingCall<ListRequest, ListResponseInit>;
  readonly watch: handleServerStreamingCall<WatchRequest, WatchResponseInit>;
};

export declare const SecurityService: {
  readonly certificate: Method<CertificateRequest, CertificateRequestInit, CertificateResponse, CertificateResponseInit, false, false>;
};

/** What a server of SecurityService implements. */
export type SecurityServiceHandlers = {
  readonly certificate: handleUnaryCall<CertificateRequest, CertificateResponseInit>;
};

export declare const SupervisorService: {
  readonly serviceList: Method<ServiceListRequest, ServiceListRequestInit, ServiceListResponse, ServiceListResponseInit, false, false>;
  readonly serviceStart: Method<ServiceStartRequest, ServiceStartRequestInit, ServiceStartResponse, ServiceStartResponseInit, false, false>;
  readonly serviceStop: Method<ServiceStopRequest, ServiceStopRequestInit, ServiceStopResponse, ServiceStopResponseInit, false, false>;
  readonly serviceRestart: Method<ServiceRestartRequest, ServiceRestartRequestInit, ServiceRestartResponse, ServiceRestartResponseInit, false, false>;
  readonly logs: Method<LogsRequest, LogsRequestInit, LogsResponse, LogsResponseInit, true, false>;
  readonly logsContainers: Method<LogsContainersRequest, LogsContainersRequestInit, LogsContainersResponse, LogsContainersResponseInit, false, false>;
};

/** What a server of SupervisorService implements. */
export type SupervisorServiceHandlers = {
  readonly serviceList: handleUnaryCall<ServiceListRequest, ServiceListResponseInit>;
  readonly serviceStart: handleUnaryCall<ServiceStartRequest, ServiceStartResponseInit>;
  readonly serviceStop: handleUnaryCall<ServiceStopRequest, ServiceStopResponseInit>;
  readonly serviceRestart: handleUnaryCall<ServiceRestartRequest, ServiceRestartResponseInit>;
  readonly logs: handleServerStreamingCall<LogsRequest, LogsResponseInit>;
  readonly logsContainers: handleUnaryCall<LogsContainersRequest, LogsContainersResponseInit>;
};

export declare const SocketService: {
  readonly netstat: Method<NetstatRequest, NetstatRequestInit, NetstatResponse, NetstatResponseInit, true, false>;
};

/** What a server of SocketService implements. */
export type SocketServiceHandlers = {
  readonly netstat: handleServerStreamingCall<NetstatRequest, NetstatResponseInit>;
};

export declare const StatService: {
  readonly memory: Method<MemoryRequest, MemoryRequestInit, MemoryResponse, MemoryResponseInit, false, false>;
  readonly systemStat: Method<SystemStatRequest, SystemStatRequestInit, SystemStatResponse, SystemStatResponseInit, false, false>;
  readonly loadAvg: Method<LoadAvgRequest, LoadAvgRequestInit, LoadAvgResponse, LoadAvgResponseInit, false, false>;
  readonly cpuInfo: Method<CpuInfoRequest, CpuInfoRequestInit, CpuInfoResponse, CpuInfoResponseInit, false, false>;
  readonly cpuFreqStats: Method<CpuFreqStatsRequest, CpuFreqStatsRequestInit, CpuFreqStatsResponse, CpuFreqStatsResponseInit, false, false>;
  readonly diskStats: Method<DiskStatsRequest, DiskStatsRequestInit, DiskStatsResponse, DiskStatsResponseInit, false, false>;
  readonly networkDeviceStats: Method<NetworkDeviceStatsRequest, NetworkDeviceStatsRequestInit, NetworkDeviceStatsResponse, NetworkDeviceStatsResponseInit, false, false>;
};

/** What a server of StatService implements. */
export type StatServiceHandlers = {
  readonly memory: handleUnaryCall<MemoryRequest, MemoryResponseInit>;
  readonly systemStat: handleUnaryCall<SystemStatRequest, SystemStatResponseInit>;
  readonly loadAvg: handleUnaryCall<LoadAvgRequest, LoadAvgResponseInit>;
  readonly cpuInfo: handleUnaryCall<CpuInfoRequest, CpuInfoResponseInit>;
  readonly cpuFreqStats: handleUnaryCall<CpuFreqStatsRequest, CpuFreqStatsResponseInit>;
  readonly diskStats: handleUnaryCall<DiskStatsRequest, DiskStatsResponseInit>;
  readonly networkDeviceStats: handleUnaryCall<NetworkDeviceStatsRequest, NetworkDeviceStatsResponseInit>;
};

export declare const StorageService: {
  readonly proveEmpty: Method<ProveEmptyRequest, ProveEmptyRequestInit, ProveEmptyResponse, ProveEmptyResponseInit, false, false>;
  readonly wipe: Method<WipeRequest, WipeRequestInit, WipeResponse, WipeResponseInit, true, false>;
  readonly wipeVolumes: Method<WipeVolumesRequest, WipeVolumesRequestInit, WipeResponse, WipeResponseInit, true, false>;
  readonly reset: Method<ResetRequest, ResetRequestInit, ResetResponse, ResetResponseInit, true, false>;
};

/** What a server of StorageService implements. */
export type StorageServiceHandlers = {
  readonly proveEmpty: handleUnaryCall<ProveEmptyRequest, ProveEmptyResponseInit>;
  readonly wipe: handleServerStreamingCall<WipeRequest, WipeResponseInit>;
  readonly wipeVolumes: handleServerStreamingCall<WipeVolumesRequest, WipeResponseInit>;
  readonly reset: handleServerStreamingCall<ResetRequest, ResetResponseInit>;
};

export declare const TimeService: {
  readonly time: Method<TimeRequest, TimeRequestInit, TimeResponse, TimeResponseInit, false, false>;
};

/** What a server of TimeService implements. */
export type TimeServiceHandlers = {
  readonly time: handleUnaryCall<TimeRequest, TimeResponseInit>;
};

export declare const TrimService: {
  readonly trim: Method<TrimRequest, TrimRequestInit, TrimResponse, TrimResponseInit, true, false>;
};

/** What a server of TrimService implements. */
export type TrimServiceHandlers = {
  readonly trim: handleServerStreamingCall<TrimRequest, TrimResponseInit>;
};

export declare const VolumeService: {
  readonly rotateKeys: Method<RotateKeysRequest, RotateKeysRequestInit, RotateKeysResponse, RotateKeysResponseInit, true, false>;
  readonly addRecoveryKey: Method<AddRecoveryKeyRequest, AddRecoveryKeyRequestInit, AddRecoveryKeyResponse, AddRecoveryKeyResponseInit, false, false>;
  readonly backupHeader: Method<BackupHeaderRequest, BackupHeaderRequestInit, BackupHeaderResponse, BackupHeaderResponseInit, true, false>;
  readonly restoreHeader: Method<RestoreHeaderRequest, RestoreHeaderRequestInit, RestoreHeaderResponse, RestoreHeaderResponseInit, false, true>;
};

/** What a server of VolumeService implements. */
export type VolumeServiceHandlers = {
  readonly rotateKeys: handleServerStreamingCall<RotateKeysRequest, RotateKeysResponseInit>;
  readonly addRecoveryKey: handleUnaryCall<AddRecoveryKeyRequest, AddRecoveryKeyResponseInit>;
  readonly backupHeader: handleServerStreamingCall<BackupHeaderRequest, BackupHeaderResponseInit>;
  readonly restoreHeader: handleClientStreamingCall<RestoreHeaderRequest, RestoreHeaderResponseInit>;
};
