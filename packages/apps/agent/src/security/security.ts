import { createHash, createPublicKey } from 'node:crypto';
import { access } from 'node:fs/promises';

import { atStart, type Controller } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import * as tpm from '@nodecore/tpm';

import type { Log } from '../log.ts';
import { kindOf } from '../resources/definitions.ts';
import { securityStates } from './definitions.ts';
import { missingParameters } from './kernel-parameters.ts';

export type SecurityParts = {
  readonly log: Log;
  /** Of the kernel, where it was started by an image of ours. */
  readonly commandLine?: () => Promise<string>;
  /** The machine; another one in tests. */
  readonly machine?: SecurityFacts;
};

/** What is asked of the machine. */
export type SecurityFacts = {
  readonly secureBoot: typeof tpm.secureBoot;
  /** Whether the kernel was started by the boot stub of a unified kernel image. */
  readonly bootedWithUki: () => Promise<boolean>;
  readonly pcrSignatures: () => ReturnType<typeof tpm.pcrSignatures>;
  /** Throws without a TPM. */
  readonly capabilities: () => Promise<tpm.Capabilities>;
};

/** This machine. */
const here: SecurityFacts = {
  secureBoot: tpm.secureBoot,
  bootedWithUki: () => exists('/sys/firmware/efi/efivars/StubInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f'),
  pcrSignatures: () => tpm.pcrSignatures(),
  capabilities: async () => {
    await using connection = await tpm.open();
    return await connection.capabilities();
  },
};

/** Publishes what of the machine keys can be bound to. It does not change before the next boot: it is read once. */
export function securityController({ log, machine = here, commandLine }: SecurityParts): Controller {
  return {
    name: 'security',
    inputs: [],
    outputs: [{ ...kindOf(securityStates), mode: 'exclusive' }],
    outside: atStart('securitystate'),
    reconcile: async (id, access) => {
      const spec = {
        ...(await secureBootSpec(machine)),
        bootedWithUKI: await machine.bootedWithUki(),
        tpm: await tpmSpec(machine),
        ...(await signing(machine)),
        ...(commandLine !== undefined && { missingKernelParameters: missingParameters(await commandLine()) }),
      };
      await access.modify({ ...kindOf(securityStates), id }, () => spec);
      log.info(spec, 'security state');
      const { missingKernelParameters: missing = [] } = spec;
      if (missing.length > 0) log.warn({ missing }, 'the kernel was not started as a hardened one is');
    },
  };
}

async function secureBootSpec({ secureBoot }: SecurityFacts): Promise<{ readonly [key: string]: Json }> {
  try {
    const { state, setupMode } = await secureBoot();
    return { secureBoot: state, setupMode };
  } catch (error) {
    return { secureBoot: 'unknown', secureBootError: reason(error) };
  }
}

/** Absent, and present but of no use, are told apart. */
async function tpmSpec({ capabilities }: SecurityFacts): Promise<Json> {
  try {
    const { manufacturer, vendor, firmwareVersion, specRevision, pcrBanks } = await capabilities();
    const banks = pcrBanks.map(({ bank }) => bank);
    return { present: true, manufacturer, vendor, firmwareVersion, specRevision, pcrBanks: banks };
  } catch (error) {
    if (codeOf(error) === 'ERR_TPM_NOT_FOUND') return { present: false };
    return { present: true, error: reason(error) };
  }
}

async function signing({ pcrSignatures }: SecurityFacts): Promise<{ readonly [key: string]: Json }> {
  try {
    const { publicKey } = await pcrSignatures();
    return publicKey === undefined ? {} : { pcrSigningKeyFingerprint: fingerprint(publicKey) };
  } catch (error) {
    return { pcrSigningKeyError: reason(error) };
  }
}

/** SHA-256 of the key in PKCS #1, in hexadecimal: as `pkfp` in the file of signatures. */
function fingerprint(pem: Uint8Array): string {
  const key = createPublicKey(Buffer.from(pem)).export({ type: 'pkcs1', format: 'der' });
  return createHash('sha256').update(key).digest('hex');
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function reason(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error));
}
