import { TpmConnection } from '@nodecore/native';
import type { Secret } from '@nodecore/sys';

import { type Bank, banks, normalizePcrs, pcrMask } from './banks.ts';
import { type Capabilities, type Lockout, readCapabilities, readLockout } from './capabilities.ts';
import type { TpmContext } from './context.ts';
import { checkTcti, defaultTcti } from './tcti.ts';
import { TpmError } from './errors.ts';
import { kernelEventLog } from './event-log.ts';
import { PcrReader } from './pcr-reader.ts';
import type { PcrSignatures } from './pcr-signatures.ts';
import { translated } from './response-codes.ts';
import { seal } from './seal.ts';
import type { SealedObject, SealPolicy } from './sealed-object.ts';
import { unseal } from './unseal.ts';

export type OpenOptions = {
  /**
   * Configuration of a tss2 TCTI: `device:/dev/tpmrm0`, `swtpm:path=/run/tpm.sock`. By default the kernel's resource manager,
   * and where there is none the TPM itself, which then serves nobody else.
   */
  readonly tcti?: string;
  /** A log of what was measured into this TPM, for explanations; the kernel's for a TPM of this machine. */
  readonly eventLog?: string;
  readonly signal?: AbortSignal;
};

export type UnsealOptions = {
  readonly pin?: Secret;
  /** Statements about the registers of `publicKeyPcrs`; see `pcrSignatures`. */
  readonly signatures?: PcrSignatures;
  readonly signal?: AbortSignal;
};

export type SealOptions = {
  /** With them, a policy with a public key is proved by unsealing; without, by the digest that the TPM computes for it. */
  readonly signatures?: PcrSignatures;
  /**
   * What is sealed under. `persistent`, the default: the key at 0x81000001, made where it is missing; what has no PIN then
   * also opens while the TPM is locked out. `ecc` and `rsa`: a key from systemd's first template, which systemd 248 to
   * 253 can open, and which is used in place of the other where the TPM's owner does not let it be made.
   */
  readonly storageRoot?: 'persistent' | 'ecc' | 'rsa';
  readonly signal?: AbortSignal;
};

/**
 * Connects to a TPM 2.0. Needs access to the device, which only root and the group `tss` have.
 *
 * @throws {TpmError} `ERR_TPM_NOT_FOUND`, `ERR_TPM_LIBRARY`, `ERR_TPM_UNREACHABLE`; `ERR_TPM_UNSUPPORTED` for what is no TCTI.
 */
export async function open(options: OpenOptions = {}): Promise<Tpm> {
  const { signal, tcti = await defaultTcti() } = options;
  checkTcti(tcti);
  const log = options.eventLog ?? (tcti.startsWith('device') ? kernelEventLog : undefined);
  try {
    return Tpm.of(await TpmConnection.open(tcti, signal), tcti, log);
  } catch (error) {
    throw translated(error, tcti);
  }
}

/**
 * One connection to a TPM, with its own native thread. Requests run one at a time, and so do those of
 * all connections of this process to a TPM without a resource manager. A signal ends the wait, not the command that the TPM works on.
 */
export class Tpm implements AsyncDisposable {
  readonly #connection: TpmConnection;
  readonly #address: string;
  readonly #log: string | undefined;

  /** For {@link open}. */
  static of(connection: TpmConnection, address: string, log: string | undefined): Tpm {
    return new Tpm(connection, address, log);
  }

  private constructor(connection: TpmConnection, address: string, log: string | undefined) {
    this.#connection = connection;
    this.#address = address;
    this.#log = log;
  }

  /**
   * Seals 1 to 128 bytes under the present values of `policy.pcrs`, and proves that they come back before it resolves.
   *
   * @throws {TpmError} `ERR_TPM_PCR_UNUSABLE` for a register that nothing has measured into; `ERR_TPM_UNSUPPORTED`,
   * `ERR_TPM_UNREACHABLE`, `ERR_TPM_FAILED`
   */
  seal(secret: Secret, policy: SealPolicy, options: SealOptions = {}): Promise<SealedObject> {
    return this.#translated(() => seal(this.#context, secret, policy, options));
  }

  /**
   * Gives the secret back when the machine is in the state that the policy asks for. The caller disposes it.
   *
   * @throws {TpmError} every code but `ERR_TPM_PCR_UNUSABLE` and `ERR_TPM_EVENT_LOG`.
   */
  unseal(sealed: SealedObject, options: UnsealOptions = {}): Promise<Secret> {
    return this.#translated(() => unseal(this.#context, sealed, options));
  }

  /** Values of registers, ascending. @throws {TpmError} `ERR_TPM_UNSUPPORTED` for a bank that is not in use. */
  readPcrs(
    pcrs: readonly number[],
    bank: Bank = 'sha256',
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ReadonlyMap<number, Uint8Array>> {
    return this.#translated(() => this.#context.registers.read(pcrs, bank, options.signal));
  }

  /**
   * Extends a register of the SHA-256 bank with a digest of 32 bytes: value = SHA-256(value ‖ digest). There is no way back but
   * a restart of the machine.
   */
  extendPcr(pcr: number, digest: Uint8Array, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return this.#translated(async () => {
      const { algorithm, sizeBytes } = banks.sha256;
      if (pcrMask(normalizePcrs([pcr])) === 0 || digest.length !== sizeBytes) {
        throw new TpmError(
          'ERR_TPM_UNSUPPORTED',
          `a digest of ${digest.length} bytes can't extend PCR ${pcr}`,
        );
      }
      await this.#connection.extendPcr(pcr, algorithm, digest, options.signal);
    });
  }

  /** What kind of TPM this is. */
  capabilities(options: { readonly signal?: AbortSignal } = {}): Promise<Capabilities> {
    return this.#translated(() => readCapabilities(this.#connection, options.signal));
  }

  /** The state of its defence against guessed PINs. */
  lockout(options: { readonly signal?: AbortSignal } = {}): Promise<Lockout> {
    return this.#translated(() => readLockout(this.#connection, options.signal));
  }

  /** Ends the connection when what runs has ended. Twice is fine. */
  close(): Promise<void> {
    return this.#connection.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #context(): TpmContext {
    const connection = this.#connection;
    return { connection, address: this.#address, log: this.#log, registers: new PcrReader(connection) };
  }

  async #translated<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw translated(error, this.#address);
    }
  }
}
