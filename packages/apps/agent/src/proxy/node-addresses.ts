import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { abortable, KeyedLock } from '@nodecore/waiting';

import { ServerError } from '../server/errors.ts';
import { isOwnSurrounding } from './own-surroundings.ts';

/** How long a name may take: whoever looks one up holds a thread that files need, too. */
const lookupMs = 5_000;
/** Of the four threads. */
const maxLookups = 2;

export type NodeAddressesParts = {
  /** Every address of a name. */
  readonly addressesOf?: (name: string) => Promise<readonly string[]>;
  readonly isRefused?: (address: string) => boolean;
};

/** Where nodes are that calls are for. */
export class NodeAddresses {
  readonly #parts: Required<NodeAddressesParts>;
  /** One name of a caller at a time. */
  readonly #lookups = new KeyedLock({ max: maxLookups });

  constructor({ addressesOf = systemAddresses, isRefused = isOwnSurrounding }: NodeAddressesParts = {}) {
    this.#parts = { addressesOf, isRefused };
  }

  /**
   * The address to dial, which was looked at after the name was: nobody else resolves it again.
   *
   * @throws {ServerError} `ERR_SERVER_REQUEST` for an address of this node's own surroundings, `ERR_SERVER_NODE` for a name that
   *   nobody knows; `signal.reason`.
   */
  async get(name: string, caller: string, signal: AbortSignal): Promise<string> {
    const found = isIP(name) === 0 ? await this.#lookUp(name, caller, signal) : [name];
    const address = found.find((each) => !this.#parts.isRefused(each));
    if (address !== undefined) return address;
    const words =
      'it is an address of this very node, of a link, a group or a cloud, and not of another node';
    throw new ServerError('ERR_SERVER_REQUEST', `node: ${words}`);
  }

  async #lookUp(name: string, caller: string, signal: AbortSignal): Promise<readonly string[]> {
    using _turn = await this.#lookups.take([caller], signal);
    const late = AbortSignal.timeout(lookupMs);
    try {
      const found = await abortable(this.#parts.addressesOf(name), AbortSignal.any([signal, late]));
      if (found.length > 0) return found;
    } catch (cause) {
      signal.throwIfAborted();
      const words = late.aborted ? `is not answered within ${lookupMs / 1000} s` : 'is not known';
      throw new ServerError('ERR_SERVER_NODE', `its name ${words} on this node`, { cause });
    }
    throw new ServerError('ERR_SERVER_NODE', 'its name has no address on this node');
  }
}

async function systemAddresses(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
