export { alarms, disarm, type Alarm, type AlarmKind } from './alarms.ts';
export {
  defragment,
  previewDefragmentation,
  type DefragmentationProgress,
  type DefragmentationReport,
  type DefragmentOptions,
  type PreviewOptions,
} from './defragmentation.ts';
export {
  planDefragmentation,
  type DefragmentationFacts,
  type DefragmentationPlan,
  type DefragmentationPolicy,
  type DefragmentationStep,
  type SkipReason,
} from './defragmentation-plan.ts';
export {
  defragmentOnSchedule,
  nextRunMs,
  untilRunDue,
  type ScheduledRun,
  type ScheduleOptions,
} from './defragmentation-schedule.ts';
export type { DefragmentationResult, StepOptions, StepProgress } from './defragmentation-step.ts';
export { cancelDowngrade, enableDowngrade, validateDowngrade } from './downgrade.ts';
export { isKvstoreError, KvstoreError, type KvstoreErrorCode } from './errors.ts';
export { compareHashes, hashFile, type HashComparison, type MemberHash } from './hashes.ts';
export { health, type Health } from './health.ts';
export { inspect, type ClusterView, type MemberView } from './inspect.ts';
export {
  compact,
  deleteKey,
  deletePrefix,
  get,
  getPrefix,
  put,
  type Entry,
  type Range,
  type RangeOptions,
  type ReadOptions,
  type Text,
} from './kv.ts';
export { connect, Kvstore, type CallOptions, type ConnectOptions } from './kvstore.ts';
export type { KvstoreUser } from './login.ts';
export { forfeitLeadership, moveLeader } from './leadership.ts';
export { assertUnlocked, MaintenanceLock, type LockOptions } from './maintenance-lock.ts';
export {
  addLearner,
  describeMember,
  formatMemberId,
  members,
  parseMemberId,
  promoteLearner,
  updateMember,
  type Member,
} from './members.ts';
export { freeDiskBytes, writtenBytes } from './observation.ts';
export { isHealthy, quorumOf, survivesRemoval, type Quorum } from './quorum.ts';
export {
  rehearseRestore,
  removeRehearsals,
  type Rehearsal,
  type RehearsalOptions,
} from './rehearsal/rehearse.ts';
export { leave, removeMember } from './removal.ts';
export { restoreSnapshot } from './restore/restore.ts';
export {
  confirmRestore,
  hasFormerData,
  resumeRestore,
  undoRestore,
  type ResumedRestore,
} from './restore/switch.ts';
export type { RestoredCluster, RestoreSnapshotOptions } from './restore/restore-options.ts';
export { hasLoggedWrites } from './restore/write-ahead-log.ts';
export {
  catalogueFile,
  type Catalogue,
  listCatalogue,
  readCatalogue,
  verifyCatalogue,
  type CataloguedSnapshot,
  type VerifiedSnapshot,
} from './snapshot/catalogue.ts';
export { type SnapshotInfo, type SnapshotStatus } from './snapshot/info.ts';
export { type SnapshotProgress } from './snapshot/progress.ts';
export { type SnapshotCallOptions } from './snapshot/pump.ts';
export {
  receiveSnapshot,
  type ReceiveSnapshotOptions,
  type WriteSnapshotOptions,
} from './snapshot/receive.ts';
export {
  receiveSnapshotCall,
  type ReceiveSnapshotCallOptions,
  type SnapshotCall,
  type SnapshotCallAnswer,
} from './snapshot/receive-call.ts';
export { saveSnapshot, type SaveSnapshotOptions } from './snapshot/save.ts';
export { expired, type Retention } from './snapshot/retention.ts';
export {
  snapshotOnSchedule,
  type ScheduledSnapshot,
  type SnapshotScheduleOptions,
} from './snapshot/schedule.ts';
export { snapshotHeadroomBytes } from './snapshot/batch-queue.ts';
export { snapshotStream, SnapshotStream } from './snapshot/stream.ts';
export {
  type CheckSnapshotOptions,
  snapshotStatus,
  verifySnapshot,
  type VerifySnapshotOptions,
} from './snapshot/verify.ts';
export { recoverSpace, type SpaceRecovery, type SpaceRecoveryOptions } from './space-recovery.ts';
export { estimateStallMs, type Stall } from './stall.ts';
export { status, type MemberStatus } from './status.ts';
export type { KvstoreTls } from './tls.ts';
export { transact, type Condition, type Transaction, type TransactionResult, type Write } from './txn.ts';
export { watch, type KeyEvent, type WatchOptions } from './watch.ts';
