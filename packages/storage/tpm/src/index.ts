export { type Bank } from './banks.ts';
export { type Capabilities, type Lockout } from './capabilities.ts';
export { TpmError, type TpmErrorCode } from './errors.ts';
export { type Change } from './event-log/explain.ts';
export { type Event, type EventLog } from './event-log/parse.ts';
export { type EventSummary } from './event-log/summary.ts';
export { eventLog } from './event-log.ts';
export { measuredFromJson, measuredToJson, type Measured, type MeasuredJson } from './measured.ts';
export {
  parsePcrSignatures,
  pcrSignatures,
  type PcrSignature,
  type PcrSignaturePaths,
  type PcrSignatures,
} from './pcr-signatures.ts';
export { policyDigest } from './policy-digest.ts';
export { type SealedObject, type SealPolicy } from './sealed-object.ts';
export { secureBoot, type SecureBoot } from './secure-boot.ts';
export { open, type OpenOptions, type SealOptions, Tpm, type UnsealOptions } from './tpm.ts';
