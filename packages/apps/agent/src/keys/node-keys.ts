import { type Configuration, type KeyEntry } from '@nodecore/config';
import type { KeyFailure } from '@nodecore/keys';
import { Connections } from '@nodecore/kms';
import type { Secret } from '@nodecore/sys';
import * as tpm from '@nodecore/tpm';
import { type KeySources, makeKeys } from '@nodecore/volumes';

import { type Identity, issueIdentity, type NodeIdentity } from './node-identity.ts';

/** Long enough for a key server that is asked for the first time, short enough for a caller that waits for the answer. */
const trialTimeoutMs = 15_000;

/**
 * Where this node's keys come from: its TPM, the salt of STATE, and key servers, with whom it trusts and who it is.
 * Connections are made when a key is needed. The one to the TPM is closed after it; those to key servers are kept for the next
 * volume, for some seconds.
 */
export class NodeKeys implements AsyncDisposable {
  readonly #identity: NodeIdentity;
  readonly #connections = new Connections();
  #salt: Secret | undefined;
  /** The same array for as long as nothing changes: TLS contexts are kept by it. */
  #roots: readonly string[] = [];

  constructor(identity: NodeIdentity) {
    this.#identity = identity;
  }

  /** From now on keys can be locked to STATE. Takes the salt over. */
  useSalt(salt: Secret): void {
    this.#salt?.[Symbol.dispose]();
    this.#salt = salt;
  }

  /** Authorities in PEM, trusted beside the public ones. */
  trust(roots: readonly string[]): void {
    if (roots.join() !== this.#roots.join()) this.#roots = roots;
  }

  /** What volumes get for the asking. */
  sources(): KeySources {
    return this.#sources(this.#roots, this.#identity.current, this.#connections);
  }

  /** Makes keys as a configuration would, and throws them away. @returns why those that can't be made can't. */
  async try(
    configuration: Configuration,
    machineUuid: string,
    volumeId: string,
    keys: readonly KeyEntry[],
  ): Promise<readonly KeyFailure[]> {
    if (keys.length === 0) return [];
    // The salt of a STATE that is yet to be made is no doubt.
    const specs = keys.map((key) => ({ ...key, lockToState: false }));
    const { machine } = configuration;
    const issued = machine === undefined ? undefined : await issueIdentity(machine, machineUuid);
    using _key = issued?.key;
    const identity = issued ?? this.#identity.current; // a worker is who it was
    await using connections = new Connections(); // nothing is kept of who we would be
    const context = {
      ...this.#sources(rootsOf(configuration), identity, connections),
      machineUuid,
      volumeId,
    };
    using made = await makeKeys(specs, context, { timeoutMs: trialTimeoutMs });
    return made.failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections.close();
    this.#salt?.[Symbol.dispose]();
    this.#identity[Symbol.dispose]();
  }

  #sources(roots: readonly string[], identity: Identity | undefined, connections: Connections): KeySources {
    return {
      ...(this.#salt === undefined ? {} : { salt: this.#salt }),
      tpm: (options) => tpm.open(options),
      tpmSignatures: () => tpm.pcrSignatures(),
      secureBoot: () => tpm.secureBoot(),
      kms: { roots, connections, ...(identity !== undefined && { identity }) },
    };
  }
}

/**
 * Every authority that configurations add, each once. Those of former ones are needed as long as their keys are: a key
 * server that was replaced together with its authority is asked a last time.
 */
export function rootsOf(...configurations: readonly Configuration[]): readonly string[] {
  const roots = configurations.flatMap((one) => one.all('TrustedRootsConfig'));
  return [...new Set(roots.flatMap(({ certificates }) => certificates))];
}
