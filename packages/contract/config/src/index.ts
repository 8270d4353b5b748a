export { Configuration } from './configuration.ts';
export { decode } from './decode.ts';
export { diff, diffOfShown } from './diff.ts';
export { ConfigError, formatProblem, type ConfigErrorCode, type Problem } from './errors.ts';
export { checkMode, type Mode, type ModeFindings } from './mode.ts';
export { type Origin } from './origin.ts';
export { parse, type ParseOptions } from './parse.ts';
export { rootAlone } from './root-alone.ts';
export { unnamedPolicy } from './pressure-policy.ts';
export { type RankingExpression } from './ranking-expression.ts';
export { patchConfiguration, type Patch, type PatchOptions } from './patch/patch.ts';
export { migrate, type Migration } from './migrate/migrate.ts';
export { patchBetween, type BetweenOptions } from './patch/between.ts';
export { redact } from './redact.ts';
export { nearest } from './nearest.ts';
export { aboutKinds, exampleOf, explain, fieldsBelow, fieldsOf, type FieldRow } from './reference.ts';
export { restoreSecrets } from './restore-secrets.ts';
export { jsonSchema, schemaVersion } from './json-schema.ts';
export { changedDocuments, type ChangedDocument } from './effects.ts';
export { type Kind, type Values } from './kind/kinds.ts';
export { type EventSinkEndpoint, parseEventSink } from './kind/runtime/logs.ts';
export { resolveSize, type Size } from './size.ts';
export { differences, type Difference } from './differences.ts';
export { documentTexts, type DocumentText } from './document-texts.ts';
export { documentOf } from './document-of.ts';
export { defaultSystemVolume } from './system-volume.ts';
export { type TriggerEnvironment, type TriggerExpression } from './trigger-expression.ts';
export { scrubIntervalMs } from './scrub.ts';
export { trimIntervalMs } from './trim.ts';
export {
  type Blanking,
  type BlockVolume,
  type Cipher,
  type Document,
  type Encryption,
  type EncryptionOption,
  type ExistingVolume,
  type ExternalVolume,
  type Filesystem,
  type ForeignMountOptions,
  type FilesystemTrim,
  type KeyEntry,
  type Kvstore,
  type KvstoreDefragmentation,
  type KvstoreSnapshots,
  type MachineRoot,
  type MountOptions,
  type PressureAction,
  type PressurePolicy,
  type PressureRelease,
  type PressureTriggerSettings,
  type Provisioning,
  type RawVolume,
  type ScrubSettings,
  type Subnet,
  type SwapVolume,
  type SystemVolume,
  type SystemVolumeName,
  type TrimSettings,
  type UserVolume,
  type Volume,
} from './types.ts';
export { type Duration } from './type/duration.ts';
export { type HostPort } from './type/endpoint.ts';
export { type UdevAction, type UdevMatch, type UdevRule } from './type/udev-rule.ts';
