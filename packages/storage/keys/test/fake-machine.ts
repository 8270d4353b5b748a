import type { KeyContext, KeyServer, KeyTpm } from '../src/index.ts';
import { KmsEndpointError, KmsError, type KmsErrorCode } from '@nodecore/kms';
import { Secret } from '@nodecore/sys';
import { type SealedObject, TpmError, type TpmErrorCode } from '@nodecore/tpm';

type Box = { readonly secret: Secret; readonly state: string };

/** A TPM in memory: it gives back what it sealed while the registers are what they were. */
export class FakeTpm {
  readonly #boxes = new Map<string, Box>();
  #registers = 'as they were';
  /** Refuses everything with this code. */
  refuses: TpmErrorCode | undefined;
  /** Unseals nothing, with this code; it still seals. */
  refusesUnseal: TpmErrorCode | undefined;
  connections = 0;

  /** Another firmware, another boot loader. */
  changeRegisters(): void {
    this.#registers = `changed ${this.#registers}`;
  }

  /** Another TPM, or a cleared one. */
  replace(): void {
    this.#boxes.clear();
  }

  connect(): KeyTpm {
    this.connections += 1;
    return {
      seal: async (secret, { pcrs, publicKey }) => {
        this.#check();
        const blob = Secret.random(16).bytes;
        const state = pcrs.length === 0 ? '' : this.#registers;
        this.#boxes.set(blob.toString('hex'), { secret: secret.clone(), state });
        return sealedObject(blob, pcrs, publicKey);
      },
      unseal: async ({ blob, pin }) => {
        this.#check();
        if (pin) throw new TpmError('ERR_TPM_PIN_REQUIRED', 'it asks for a PIN');
        const box = this.#boxes.get(Buffer.from(blob).toString('hex'));
        if (this.refusesUnseal !== undefined) throw new TpmError(this.refusesUnseal, 'refused');
        if (box === undefined) throw new TpmError('ERR_TPM_DIFFERENT', 'another storage root key');
        if (box.state !== '' && box.state !== this.#registers) {
          throw new TpmError('ERR_TPM_PCR_MISMATCH', 'PCR 7 differs', { pcrs: [7] });
        }
        return box.secret.clone();
      },
      [Symbol.asyncDispose]: async () => {
        this.connections -= 1;
      },
    };
  }

  #check(): void {
    if (this.refuses !== undefined) throw new TpmError(this.refuses, 'refused');
  }
}

function sealedObject(
  blob: Uint8Array,
  pcrs: readonly number[],
  publicKey: Uint8Array | undefined,
): SealedObject {
  return {
    blob,
    pcrs: [...new Set(pcrs)].sort((a, b) => a - b),
    bank: 'sha256',
    primaryAlg: 'ecc',
    policyHash: Buffer.alloc(32, 7),
    pin: false,
    ...(publicKey === undefined ? {} : { publicKey }),
    publicKeyPcrs: publicKey === undefined ? [] : [11],
    keyName: Buffer.alloc(34, 3),
  };
}

/** A key server in memory, one store for each endpoint. */
export class FakeKeyServer implements KeyServer {
  readonly #boxes = new Map<string, Secret>();
  /** Refuses everything with this code. */
  refuses: KmsCode | undefined;
  /** Answers an unseal with other bytes than it sealed, from this call on. */
  liesFrom = Infinity;
  unseals = 0;

  /** It loses what it has sealed so far. */
  forget(): void {
    this.#boxes.clear();
  }

  async seal(endpoint: string, { data }: Parameters<KeyServer['seal']>[1]): Promise<Uint8Array> {
    this.#check(endpoint);
    const blob = Secret.random(60).bytes;
    this.#boxes.set(`${endpoint} ${blob.toString('hex')}`, data.clone());
    return blob;
  }

  async unseal(endpoint: string, { data }: Parameters<KeyServer['unseal']>[1]): Promise<Secret> {
    this.#check(endpoint);
    this.unseals += 1;
    if (this.unseals >= this.liesFrom) return Secret.random(32);
    const secret = this.#boxes.get(`${endpoint} ${Buffer.from(data).toString('hex')}`);
    if (secret === undefined) throw new KmsError('ERR_KMS_REFUSED', endpoint, 'not what it sealed');
    return secret.clone();
  }

  #check(endpoint: string): void {
    if (this.refuses !== undefined) throw kmsError(this.refuses, endpoint, 'refused');
  }
}

type KmsCode = KmsErrorCode | KmsEndpointError['code'];

/** The error that a code belongs to. */
export function kmsError(code: KmsCode, endpoint: string, message: string): KmsError | KmsEndpointError {
  return code === 'ERR_KMS_ENDPOINT'
    ? new KmsEndpointError(endpoint, 1, message)
    : new KmsError(code, endpoint, message);
}

export type FakeMachine = {
  readonly tpm: FakeTpm;
  readonly kms: FakeKeyServer;
  readonly context: KeyContext;
};

export function fakeMachine(more: Partial<KeyContext> = {}): FakeMachine {
  const tpm = new FakeTpm();
  const kms = new FakeKeyServer();
  const context: KeyContext = {
    machineUuid: '4c4c4544-0051-3610-8052-b4c04f4e3132',
    volumeId: 'u-data',
    tpm: async () => tpm.connect(),
    keyServer: kms,
    ...more,
  };
  return { tpm, kms, context };
}
