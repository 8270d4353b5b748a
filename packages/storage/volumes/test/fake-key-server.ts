import type { KeyServer, SealRequest, UnsealRequest } from '@nodecore/keys';
import { CodedError, Secret } from '@nodecore/sys';

class Unreachable extends CodedError<'ERR_KMS_UNREACHABLE'> {
  readonly kind = 'unavailable';
}

/** A key server in memory: what it seals is the key itself, turned round. It can be switched off. */
export class FakeKeyServer implements KeyServer {
  isDown = false;
  /** It takes every question and answers none. */
  isSilent = false;
  readonly asked: string[] = [];

  async seal(endpoint: string, { data, volume }: SealRequest): Promise<Uint8Array> {
    await this.#answer(`seal ${volume}`, endpoint);
    return Uint8Array.from(data.bytes.toReversed());
  }

  async unseal(endpoint: string, { data, volume }: UnsealRequest): Promise<Secret> {
    await this.#answer(`unseal ${volume}`, endpoint);
    return Secret.take(Uint8Array.from(data).toReversed());
  }

  async #answer(question: string, endpoint: string): Promise<void> {
    this.asked.push(question);
    if (this.isSilent) await new Promise(() => {});
    if (this.isDown) throw new Unreachable('ERR_KMS_UNREACHABLE', `${endpoint}: nobody answers`);
  }
}
