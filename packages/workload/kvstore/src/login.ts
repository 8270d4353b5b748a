import { isIP } from 'node:net';

import type { Secret } from '@nodecore/sys';

import { Auth } from '../gen/etcdserverpb.js';
import type { CallLimits, Channel } from './channel.ts';
import type { Endpoint } from './endpoint.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';

/** Who we are where authentication is on, and the certificate does not say it. */
export type KvstoreUser = {
  readonly name: string;
  /** Its owner's: it must last as long as the connection, for tokens expire and are asked for again. */
  readonly password: Secret;
};

/** A user's token: asked for with the password, good for calls to every member, forgotten by them after a while. */
export class Login {
  readonly #user: KvstoreUser;
  #token: Promise<string | undefined> | undefined;

  constructor(user: KvstoreUser) {
    this.#user = user;
  }

  /**
   * The token to call with; undefined where authentication is off.
   *
   * @throws {KvstoreError} `ERR_KVSTORE_DENIED` for a wrong name or password
   */
  async token(channel: Channel, limits: CallLimits): Promise<string | undefined> {
    this.#token ??= this.#ask(channel, limits);
    const token = this.#token;
    try {
      return await token;
    } catch (error) {
      if (this.#token === token) this.#token = undefined;
      throw error;
    }
  }

  /** A new one; the one of before where there is no leader to get one from. */
  async fresh(channel: Channel, limits: CallLimits): Promise<string | undefined> {
    const before = this.#token;
    const token = this.#ask(channel, limits);
    try {
      await token;
      this.#token = token;
      return await token;
    } catch (error) {
      if (before === undefined || isKvstoreError(error, 'ERR_KVSTORE_DENIED', 'ERR_KVSTORE_REFUSED'))
        throw error;
      return await before;
    }
  }

  /** Drops a token that was refused. Later calls ask for a new one, once for all of them. */
  async forget(refused: string | undefined): Promise<void> {
    const token = this.#token;
    const known = await token?.catch(() => undefined);
    if (this.#token === token && known === refused) this.#token = undefined;
  }

  async #ask(channel: Channel, { deadline, signal }: CallLimits): Promise<string | undefined> {
    requireSecret(channel.endpoint);
    const { name, password } = this.#user;
    try {
      const request = { name, password: password.bytes };
      return (await channel.ask(Auth.authenticate, request, { deadline, signal })).token;
    } catch (error) {
      if (
        isKvstoreError(error, 'ERR_KVSTORE_REFUSED') &&
        error.message.includes('authentication is not enabled')
      )
        return undefined;
      throw error;
    }
  }
}

function requireSecret({ tls, host, text }: Endpoint): void {
  const isHere = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (tls || isHere) return;
  const words = 'a password would go there in plain text; use https';
  throw new KvstoreError('ERR_KVSTORE_REFUSED', text, words);
}
