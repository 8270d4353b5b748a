/** Proof that a snapshot can be gone back to, by a member that is started with a copy of it. */
export { isKvstoreError, KvstoreError, type KvstoreErrorCode } from './errors.ts';
export { rehearseRestore, type Rehearsal, type RehearsalOptions } from './rehearsal/rehearse.ts';
