import { createHash } from 'node:crypto';

import type { PlainSpec } from './key-specs.ts';

/**
 * A register that nothing else measures into, and what the recorded machine and the machine of the checks extend it with:
 * so both are in the state that keys are sealed to.
 */
export const testRegister = 23;
export const testMeasurement: Buffer = createHash('sha256').update('rotation').digest();

/** A change of a header, as one operation whose writes are recorded. */
export type Step = {
  /** One word; marks in the record are made of it. */
  readonly name: string;
  readonly do: 'synchronise' | 'rotate' | 'add-recovery-key' | 'restore-header';
  /** The keys that open the volume when the operation begins. */
  readonly before: readonly PlainSpec[];
  /** The keys that are to open it afterwards, and no others of these two lists. */
  readonly after: readonly PlainSpec[];
};

const passphrase = (slot: number, text: string): PlainSpec => ({ slot, kind: 'static', passphrase: text });
const tpm: PlainSpec = { slot: 0, kind: 'tpm', pcrs: [testRegister], checkSecurebootStatusOnEnroll: false };
const first = passphrase(0, 'the first passphrase');
const second = passphrase(1, 'the second passphrase');
const third = passphrase(1, 'the third passphrase');
/** A key that no configuration knows. Its letters are those of recovery keys. */
export const recovery: PlainSpec = passphrase(
  2,
  'cbdefghi-jklnrtuv-cbdefghi-jklnrtuv-cbdefghi-jklnrtuv-cbdefghi-jklnrtuv',
);

/** The keys of the volume as it is made. A backup of its header is taken then. */
export const firstKeys = [first, second] as const;

/** The operations, one after another. `endpoint` is where the key server listens, wherever they and the checks run. */
export function rotationSteps(endpoint: string): readonly Step[] {
  const kms: PlainSpec = { slot: 0, kind: 'kms', endpoint };
  return [
    { name: 'static-to-tpm', do: 'synchronise', before: firstKeys, after: [tpm, second] },
    { name: 'tpm-to-kms', do: 'synchronise', before: [tpm, second], after: [kms, second] },
    { name: 'kms-rotated', do: 'rotate', before: [kms, second], after: [kms, second] },
    { name: 'slot-replaced', do: 'synchronise', before: [kms, second], after: [kms, third] },
    { name: 'key-removed', do: 'synchronise', before: [kms, third], after: [third] },
    // One keyslot alone: nothing else opens the volume meanwhile.
    { name: 'single-slot', do: 'synchronise', before: [third], after: [second] },
    { name: 'recovery-key', do: 'add-recovery-key', before: [second], after: [second, recovery] },
    { name: 'header-restore', do: 'restore-header', before: [second, recovery], after: firstKeys },
  ];
}

/** Marks around the operation in the record. */
export const marksOf = ({ name }: Step): { readonly begin: string; readonly end: string } => ({
  begin: `begin:${name}`,
  end: `end:${name}`,
});
