export { type BlkidJudgement, type BlkidValues, type TableEntry } from './addon.ts';
export {
  askTime,
  readHardwareClock,
  type AskTimeOptions,
  type HardwareTime,
  type TimeAnswer,
} from './clocks.ts';
export {
  CgroupTreeReader,
  type CgroupColumn,
  type CgroupScan,
  type CgroupScanRequest,
} from './cgroup-tree.ts';
export { interfaces, type NetworkInterface } from './interfaces.ts';
export { NativeError, type NativeErrorCode } from './errors.ts';
export { Inotify, inotifyMask, type InotifyEvent } from './inotify.ts';
export {
  batchHeadroomBytes,
  PacketBatches,
  type PacketBatch,
  type PacketBatchesOptions,
} from './packet-batches.ts';
export { PacketFile, type PacketFileOptions, type PacketFileWritten } from './packet-file.ts';
export { type PacketProgress, type PacketRingCounters } from './packet-progress.ts';
export { type PacketRingOptions } from './packet-ring-options.ts';
export { PacketRing } from './packet-ring.ts';
export { PressureTrigger, type PressureEvent } from './pressure-trigger.ts';
export { readProcesses, type ProcessFacts, type ReadProcessesOptions } from './processes.ts';
export { Prober, type ProbeCall, type Probed, type ProbeRequest } from './prober.ts';
export { type Rows } from './rows.ts';
export {
  readSockets,
  socketProtocols,
  type ReadSocketsOptions,
  type SocketFacts,
  type SocketFilter,
  type SocketProtocol,
} from './sockets.ts';
export { UeventSocket, type UeventBatch, type UeventSocketOptions } from './uevent-socket.ts';
export {
  TpmConnection,
  type TpmPolicy,
  type TpmSealed,
  type TpmSealRequest,
  type TpmUnsealRequest,
} from './tpm-connection.ts';
export { TpmCallError, type TpmCondition } from './tpm-errors.ts';
