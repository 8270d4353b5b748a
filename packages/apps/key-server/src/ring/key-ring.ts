import { randomBytes } from 'node:crypto';

import { Secret } from '@nodecore/sys';

import { KeyServerError } from '../errors.ts';

/**
 * What a key is for. The active one seals; all of them unseal. A retired one is to be removed, as no other can be: the audit
 * log names the nodes that still need it.
 */
export type RingKeyState = 'active' | 'previous' | 'retired';

export type RingKey = {
  /** 16 hexadecimal digits; in front of everything that the key seals. */
  readonly id: string;
  readonly state: RingKeyState;
  /** Seconds since the epoch. */
  readonly createdSeconds: number;
  /** 32 bytes. */
  readonly material: Secret;
};

/** The length of a ring key, from which the AES-256 key of each node is derived. */
export const ringKeyBytes = 32;
/** The length of a ring key's id in a blob; in text it has twice as many hexadecimal digits. */
export const ringKeyIdBytes = 8;
/** Read whole, and looked at by people. */
export const maxRingKeys = 256;

/** The keys of a key server, oldest first. Owns their bytes. */
export class KeyRing implements Disposable {
  #keys: readonly RingKey[];

  /** Takes the keys over: exactly one is active, no id comes twice. */
  constructor(keys: readonly RingKey[]) {
    this.#keys = keys;
  }

  static create(nowMs: number): KeyRing {
    return new KeyRing([newKey(nowMs)]);
  }

  get keys(): readonly RingKey[] {
    return this.#keys;
  }

  get active(): RingKey {
    const active = this.#keys.find(({ state }) => state === 'active');
    if (active === undefined) throw new TypeError('a ring without an active key');
    return active;
  }

  find(id: string): RingKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  /** From now on a new key seals. @returns it. */
  rotate(nowMs: number): RingKey {
    if (this.#keys.length >= maxRingKeys)
      throw new KeyServerError(
        'ERR_KMS_RING_KEY',
        `a ring has at most ${maxRingKeys} keys; remove retired ones`,
      );
    const key = newKey(nowMs);
    this.#keys = [
      ...this.#keys.map((old) => (old.state === 'active' ? { ...old, state: 'previous' as const } : old)),
      key,
    ];
    return key;
  }

  retire(id: string): void {
    if (this.#existing(id).state === 'active')
      throw new KeyServerError('ERR_KMS_RING_KEY', `${id} is the active key; rotate first`);
    this.#keys = this.#keys.map((key) => (key.id === id ? { ...key, state: 'retired' as const } : key));
  }

  /** Wipes a retired key: what it sealed is lost. @throws {KeyServerError} `ERR_KMS_RING_KEY` for any other key. */
  remove(id: string): void {
    const key = this.#existing(id);
    if (key.state !== 'retired')
      throw new KeyServerError(
        'ERR_KMS_RING_KEY',
        `${id} is not retired; retire it and see who still needs it`,
      );
    this.#keys = this.#keys.filter((other) => other !== key);
    key.material[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const { material } of this.#keys) material[Symbol.dispose]();
  }

  #existing(id: string): RingKey {
    const key = this.find(id);
    if (key === undefined) throw new KeyServerError('ERR_KMS_RING_KEY', `no key ${id} in the ring`);
    return key;
  }
}

function newKey(nowMs: number): RingKey {
  return {
    id: randomBytes(ringKeyIdBytes).toString('hex'),
    state: 'active',
    createdSeconds: Math.floor(nowMs / 1000),
    material: Secret.random(ringKeyBytes),
  };
}
