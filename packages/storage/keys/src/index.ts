export { create, type NewKey } from './create.ts';
export { KeysError, type KeysErrorCode, type KeysErrorDetails } from './errors.ts';
export { failureOf, type KeyFailure, type Permanence } from './failure.ts';
export { keyCosts } from './key-costs.ts';
export { type KeyContext, type KeyKind, type KeySpec, type KeySpecOf } from './key-spec.ts';
export {
  type AddKeyslot,
  type DestroyKeyslot,
  type HeaderState,
  type KeyAttempt,
  type KeyslotCost,
  type KeyslotStore,
  type SetToken,
} from './keyslot-store.ts';
export { luksKeyslots, type LuksKeyslotsOptions } from './luks-keyslots.ts';
export { identifiesNobody } from './node-id.ts';
export { recover } from './recover.ts';
export {
  type PlannedKey,
  type ResumedChange,
  type RotationPlan,
  type RotationReport,
  type SyncedKey,
  type SyncProgress,
  type SyncReport,
  type WaysIn,
} from './report.ts';
export { planRotation, rotate, type RotateOptions } from './rotate.ts';
export { type Opener } from './run.ts';
export {
  type KeyServer,
  type KeyTpm,
  type PcrSigning,
  type SealRequest,
  type UnsealRequest,
} from './sealers.ts';
export { synchronise, type SyncOptions } from './synchronise.ts';
export { readTpm2Token, type Tpm2TokenType, writeTpm2Token } from './token/tpm2-token.ts';
export { identifyOpener, unlock, type Unlocked, type UnlockOptions } from './unlock.ts';
export { type KeyOptions } from './within.ts';
