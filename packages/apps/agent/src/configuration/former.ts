import { createHash } from 'node:crypto';

import { type Configuration, type Encryption, parse, type Volume } from '@nodecore/config';
import { sameKeys } from '@nodecore/volumes';

import type { Log } from '../log.ts';
import { decodeAndWipe } from '../persistence/secret-text.ts';
import type { StateDirectory } from '../persistence/state-directory.ts';

/**
 * Configurations other than the active one whose keys may be the only ones that open a volume: a change of keys reaches
 * each volume when it is open, and some volumes may be away for long.
 */
export class FormerConfigurations implements Disposable {
  readonly #log: Log;
  #loaded: readonly Configuration[] = [];
  /** Digests of the texts that are kept in the state directory. */
  readonly #kept = new Set<string>();
  readonly #list = new Set<Configuration>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether there is anything to forget. */
  get isEmpty(): boolean {
    return this.#kept.size === 0 && this.#list.size === 0;
  }

  /** Those whose keys are to be tried after the ones of this configuration. */
  beside(configuration: Configuration): readonly Configuration[] {
    return [...this.#list].filter((former) => former !== configuration);
  }

  /** Reads what was kept in earlier runs. A text that is none any more is left out: the node goes on without it. */
  async load({ former }: StateDirectory): Promise<void> {
    const loaded: Configuration[] = [];
    for (const bytes of await former.list()) {
      this.#kept.add(digestOf(bytes));
      try {
        loaded.push(parse(decodeAndWipe(bytes)));
      } catch (error) {
        this.#log.warn({ err: error }, 'a configuration of before can not be read: its keys are not tried');
      }
    }
    this.#loaded = loaded;
    for (const configuration of loaded) this.#list.add(configuration);
  }

  /** Keeps the text durably; called before keys of another configuration can reach a keyslot. */
  async keep(state: StateDirectory, text: string, version: number): Promise<void> {
    const digest = digestOf(text);
    if (this.#kept.has(digest)) return;
    await state.former.put(version, text);
    this.#kept.add(digest);
  }

  /** From now on its keys count as possible ones. It stays its owner's. */
  note(configuration: Configuration): void {
    this.#list.add(configuration);
  }

  /** Every volume has the keys of the active configuration. */
  async forget(state: StateDirectory | undefined): Promise<void> {
    await state?.former.clear();
    this.#kept.clear();
    this.#list.clear();
  }

  /** Wipes the keys of those that were read here. */
  [Symbol.dispose](): void {
    for (const configuration of this.#loaded) configuration[Symbol.dispose]();
  }
}

/** In place of the text, which has passphrases in it. */
function digestOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether any volume that both encrypt has other keys in one than in the other. */
export function changesKeys(before: Configuration, after: Configuration): boolean {
  const keys = new Map(before.volumes.map((volume) => [volume.id, encryptionOf(volume)?.keys ?? []]));
  return after.volumes.some((volume) => {
    const old = keys.get(volume.id) ?? [];
    const encryption = encryptionOf(volume);
    return encryption !== undefined && old.length > 0 && !sameKeys(old, encryption.keys);
  });
}

function encryptionOf(volume: Volume): Encryption | undefined {
  return 'encryption' in volume ? volume.encryption : undefined;
}
