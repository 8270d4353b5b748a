import type { KeyContext } from '@nodecore/keys';
import * as tpm from '@nodecore/tpm';

import { identity } from './key-specs.ts';
import { testMeasurement, testRegister } from './rotation-steps.ts';

/** What keys are bound to, the same in the recorded machine and where the checks run. `tcti` leads to its TPM. */
export function rotationContext(tcti: string): KeyContext {
  return { ...identity, tpm: (options) => tpm.open({ tcti, ...options }) };
}

/** Brings a TPM that was just started into the state that keys are sealed to. */
export async function measureForTest(tcti: string): Promise<void> {
  await using chip = await tpm.open({ tcti });
  await chip.extendPcr(testRegister, testMeasurement);
}
