import type { TpmConnection } from '@nodecore/native';

import { algorithmName } from './algorithms.ts';
import { type Bank, bankOf } from './banks.ts';

/** What kind of TPM this is. */
export type Capabilities = {
  /** Four letters of the TCG's registry: `IFX`, `STM`, `INTC`, `AMD`, `IBM` (the software TPM). */
  readonly manufacturer: string;
  /** The vendor's own words. */
  readonly vendor: string;
  /** Four numbers: `7.63.3353.0`. */
  readonly firmwareVersion: string;
  /** Revision of the TPM 2.0 library specification: `1.59`. */
  readonly specRevision: string;
  /** TPM_ALG_ID by name, and in hexadecimal where the name is not known: `rsa`, `ecc`, `aes`, `sha256`, … */
  readonly algorithms: readonly string[];
  /** Banks that are in use, with their registers. */
  readonly pcrBanks: readonly { readonly bank: Bank; readonly pcrs: readonly number[] }[];
};

/** How the TPM defends itself against guessed PINs. */
export type Lockout = {
  readonly inLockout: boolean;
  readonly failedTries: number;
  /** It locks at this many. */
  readonly maxTries: number;
  /** So often one failed try is forgiven, in seconds of the TPM's own time. */
  readonly recoverySeconds: number;
  /** How long it refuses the lockout authorization after that failed, in seconds; 0: until it is restarted. */
  readonly lockoutRecoverySeconds: number;
};

const capability = { algorithms: 0, pcrs: 5, properties: 6 } as const;

/** TPM_PT, the first of the fixed and of the variable group, and those of interest (TPM 2.0 Part 2, 6.13). */
const fixed = { first: 0x100, revision: 0x102, manufacturer: 0x105, vendor: 0x106, firmware: 0x10b } as const;
const variable = {
  first: 0x200,
  permanent: 0x200,
  lockoutCounter: 0x20e,
  maxAuthFail: 0x20f,
  lockoutInterval: 0x210,
  lockoutRecovery: 0x211,
} as const;
const inLockout = 1 << 9;

export async function readCapabilities(tpm: TpmConnection, signal?: AbortSignal): Promise<Capabilities> {
  const property = await properties(tpm, fixed.first, signal);
  const algorithms = pairs(await tpm.capability(capability.algorithms, 1, 128, signal));
  const banks = pairs(await tpm.capability(capability.pcrs, 0, 1, signal));
  const revision = property.get(fixed.revision) ?? 0;
  const versions = [property.get(fixed.firmware) ?? 0, property.get(fixed.firmware + 1) ?? 0];
  const vendor = [0, 1, 2, 3].map((n) => text(property.get(fixed.vendor + n) ?? 0));
  return {
    manufacturer: text(property.get(fixed.manufacturer) ?? 0),
    vendor: vendor.join('').trim(),
    firmwareVersion: versions.flatMap((half) => [half >>> 16, half & 0xffff]).join('.'),
    specRevision: `${Math.floor(revision / 100)}.${String(revision % 100).padStart(2, '0')}`,
    algorithms: algorithms.map(([algorithm]) => algorithmName(algorithm)),
    pcrBanks: banks.flatMap(([algorithm, mask]) => {
      const bank = bankOf(algorithm);
      return bank === undefined || mask === 0 ? [] : [{ bank, pcrs: registersIn(mask) }];
    }),
  };
}

export async function readLockout(tpm: TpmConnection, signal?: AbortSignal): Promise<Lockout> {
  const property = await properties(tpm, variable.first, signal);
  return {
    inLockout: ((property.get(variable.permanent) ?? 0) & inLockout) !== 0,
    failedTries: property.get(variable.lockoutCounter) ?? 0,
    maxTries: property.get(variable.maxAuthFail) ?? 0,
    recoverySeconds: property.get(variable.lockoutInterval) ?? 0,
    lockoutRecoverySeconds: property.get(variable.lockoutRecovery) ?? 0,
  };
}

async function properties(
  tpm: TpmConnection,
  first: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  return new Map(pairs(await tpm.capability(capability.properties, first, 64, signal)));
}

function pairs(values: Uint32Array): readonly (readonly [number, number])[] {
  return Array.from(
    { length: values.length / 2 },
    (_, n) => [values[2 * n] ?? 0, values[2 * n + 1] ?? 0] as const,
  );
}

function registersIn(mask: number): readonly number[] {
  return Array.from({ length: 24 }, (_, pcr) => pcr).filter((pcr) => (mask & (1 << pcr)) !== 0);
}

/** Four characters in a number; what is not printable is left out. */
function text(value: number): string {
  const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
  return String.fromCharCode(...bytes.filter((byte) => byte >= 0x20 && byte < 0x7f)).trimEnd();
}
