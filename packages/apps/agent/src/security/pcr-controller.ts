import { type Controller, every, type Outcome, waitFor } from '@nodecore/runtime';
import { codeOf } from '@nodecore/sys';
import * as tpm from '@nodecore/tpm';
import type { Clock } from '@nodecore/waiting';

import { kindOf } from '../resources/definitions.ts';
import { pcrStatuses } from './definitions.ts';

export type PcrParts = {
  readonly clock: Clock;
  /** Of the TPM of this machine unless given. @throws {TpmError} `ERR_TPM_NOT_FOUND` without one. */
  readonly read?: () => Promise<ReadonlyMap<number, Uint8Array>>;
};

const registers = 24;
/** Whoever measures something tells nobody. */
const lookMs = 60_000;

/** Publishes what was measured into the TPM, of its SHA-256 bank; nothing on a machine without one. */
export function pcrController({ clock, read = readRegisters }: PcrParts): Controller {
  return {
    name: 'pcrs',
    inputs: [],
    outputs: [{ ...kindOf(pcrStatuses), mode: 'exclusive' }],
    outside: every(lookMs, clock, 'registers'),
    reconcile: async (_item, access) => {
      let values: ReadonlyMap<number, Uint8Array> = new Map();
      let waits: Outcome | undefined;
      try {
        values = await read();
      } catch (error) {
        // One without such a bank, or one that is broken, is no failure of the node: who needs the TPM says so.
        if (codeOf(error) !== 'ERR_TPM_NOT_FOUND') waits = waitFor(`the TPM: ${messageOf(error)}`);
      }
      const specs = [...values].map(([pcr, value]) => {
        const isUsed = value.some((byte) => byte !== 0) && value.some((byte) => byte !== 0xff);
        return [String(pcr), { bank: 'sha256', value: Buffer.from(value).toString('hex'), isUsed }] as const;
      });
      await access.replace(kindOf(pcrStatuses), new Map(specs));
      return waits;
    },
  };
}

async function readRegisters(): Promise<ReadonlyMap<number, Uint8Array>> {
  await using connection = await tpm.open();
  return await connection.readPcrs([...Array(registers).keys()]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
