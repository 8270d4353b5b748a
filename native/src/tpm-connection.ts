import { onAbort } from '@nodecore/waiting';

import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonPolicy, AddonSealed, AddonTpm, AddonTpmReply } from './tpm-addon.ts';
import { tpmFailure } from './tpm-errors.ts';

/** The steps of a policy session; see `AddonPolicy` for which are left out when. */
export type TpmPolicy = AddonPolicy;

export type TpmSealed = AddonSealed;

export type TpmSealRequest = {
  /**
   * 0: under the storage root key that stays in the TPM, which is found or made. Where that can't be, or with the TPM_ALG_ID
   * of a template (0x0023 ECC, 0x0001 RSA): under a key that is made from it.
   */
  readonly primaryAlg: number;
  readonly secret: Uint8Array;
  /** Authorization value; empty for none. */
  readonly auth: Uint8Array;
  readonly policyDigest: Uint8Array;
  readonly policy: TpmPolicy;
};

export type TpmUnsealRequest = {
  readonly primaryAlg: number;
  /** A serialized ESYS handle of a persistent storage root key, to use instead of the template. */
  readonly srk?: Uint8Array | undefined;
  /** The storage root key must have this name. */
  readonly keyName?: Uint8Array | undefined;
  readonly blob: Uint8Array;
  readonly auth: Uint8Array;
  readonly policyDigest: Uint8Array;
  readonly policy: TpmPolicy;
};

type Value = Exclude<AddonTpmReply['value'], undefined>;

type Pending = {
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * One connection to a TPM, with a thread of its own: a TPM takes its time, and one that hangs takes none of the four
 * threads that Node does all its file work with. Requests run one at a time in the order they were made.
 *
 * A command that the TPM works on can't be taken back. An aborted request rejects at once; when its answer comes, it is
 * overwritten.
 */
export class TpmConnection extends Handle<AddonTpm> {
  readonly #pending = new Map<number, Pending>();
  readonly #abandoned = new Set<number>();
  #nextId = 0;
  #pumping = false;

  /**
   * Connects to what a TCTI configuration names: `device:/dev/tpmrm0`, `swtpm:path=…`.
   *
   * @throws {NativeError} `ERR_NATIVE_LIBRARY` without libtss2, `ERR_NATIVE_TPM` when nobody answers there.
   */
  static async open(tcti: string, signal?: AbortSignal): Promise<TpmConnection> {
    signal?.throwIfAborted();
    const { Tpm: Native } = addon();
    const connection = new TpmConnection(translated('tpm queue', () => new Native(tcti)));
    try {
      await connection.#request((native, id) => native.connect(id), signal);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  private constructor(native: AddonTpm) {
    super(native, 'tpm connection');
  }

  /** Values of the registers in the mask, one after the other in ascending order. */
  async readPcrs(algorithm: number, mask: number, signal?: AbortSignal): Promise<Uint8Array> {
    return (await this.#request((native, id) => native.readPcrs(id, algorithm, mask), signal)) as Buffer;
  }

  async extendPcr(pcr: number, algorithm: number, digest: Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.#request((native, id) => native.extendPcr(id, pcr, algorithm, digest), signal);
  }

  /** TPM2_GetCapability: pairs of number and value (algorithms and their attributes, banks and their masks, …). */
  async capability(
    capability: number,
    property: number,
    count: number,
    signal?: AbortSignal,
  ): Promise<Uint32Array> {
    const value = await this.#request(
      (native, id) => native.capability(id, capability, property, count),
      signal,
    );
    return value as Uint32Array;
  }

  /**
   * Seals, and proves it before it resolves: unseals and compares, or in a trial (no signature in the policy) loads the
   * object and compares the policy that the TPM computes.
   */
  async seal(request: TpmSealRequest, signal?: AbortSignal): Promise<TpmSealed> {
    const { primaryAlg, secret, auth, policyDigest, policy } = request;
    const value = await this.#request(
      (native, id) => native.seal(id, primaryAlg, secret, auth, policyDigest, policy),
      signal,
    );
    return value as AddonSealed;
  }

  /** The caller owns the bytes and overwrites them. */
  async unseal(request: TpmUnsealRequest, signal?: AbortSignal): Promise<Uint8Array> {
    const { primaryAlg, srk, keyName, blob, auth, policyDigest, policy } = request;
    const value = await this.#request(
      (native, id) => native.unseal(id, primaryAlg, srk, keyName, blob, auth, policyDigest, policy),
      signal,
    );
    return value as Buffer;
  }

  /**
   * Ends the connection when what runs has ended, so that the next one may use the TPM. It does not wait for a request
   * that was aborted: the TPM may never answer it. Twice is fine.
   */
  async end(): Promise<void> {
    if (this.closed) return;
    try {
      if (this.#abandoned.size === 0) await this.#request((native, id) => native.disconnect(id));
    } finally {
      this.close();
    }
  }

  /** Does not wait: requests that have not been answered reject, and the connection ends after the one that runs. */
  override close(): void {
    super.close();
    for (const { reject } of this.#pending.values()) reject(new TypeError('tpm connection closed meanwhile'));
    this.#pending.clear();
  }

  async #request(
    submit: (native: AddonTpm, id: number) => void,
    signal?: AbortSignal,
  ): Promise<Value | undefined> {
    signal?.throwIfAborted();
    const id = this.#nextId;
    this.#nextId = (id + 1) >>> 0;
    submit(this.native, id);
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
    this.#pending.set(id, { resolve, reject });
    using _listener = onAbort(signal, () => this.#abandon(id, signal?.reason));
    this.#keepAlive();
    void this.#pump();
    return await promise;
  }

  #abandon(id: number, reason: unknown): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    if (!this.native.cancel(id)) this.#abandoned.add(id);
    this.#keepAlive();
    pending.reject(reason);
  }

  #keepAlive(): void {
    if (!this.closed) this.native.keepAlive(this.#pending.size > 0);
  }

  /** Hands replies out for as long as any is missing. It never rejects: the waiter for a reply gets the failure. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#pending.size + this.#abandoned.size > 0 && (await this.readable())) {
        for (const reply of this.native.receive()) this.#handOut(reply);
        this.#keepAlive();
      }
    } finally {
      this.#pumping = false;
    }
  }

  #handOut({ id, failure, value }: AddonTpmReply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#abandoned.delete(id);
    if (pending === undefined) {
      if (value instanceof Uint8Array) value.fill(0); // an unsealed secret that nobody waits for any more
    } else if (failure === undefined) {
      pending.resolve(value);
    } else {
      pending.reject(tpmFailure(failure));
    }
  }
}
