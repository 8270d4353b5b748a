import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, makeDirectory, Secret, writeFileAtomic } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import { readOrMakeSalt, saltBytes } from './encryption-salt.ts';
import { PersistenceError } from './errors.ts';
import { FormerDirectory } from './former-directory.ts';
import { IntentDirectory } from './intent-directory.ts';
import { decodeAndWipe, writeSecretText } from './secret-text.ts';

/**
 * Where the node remembers: on the STATE volume, or in a directory of a host. Every file is replaced as a whole, and
 * a write survives a power cut from the moment it resolves.
 */
export class StateDirectory {
  readonly path: string;
  readonly intents: IntentDirectory;
  /** Configurations before, as long as a volume may need a key of them. */
  readonly former: FormerDirectory;
  readonly #turn = new Serial();

  private constructor(path: string) {
    this.path = path;
    this.intents = new IntentDirectory(join(path, 'intents'));
    this.former = new FormerDirectory(join(path, 'former'));
  }

  /** Makes the directory, readable by its owner only, when it is not there. */
  static async open(path: string): Promise<StateDirectory> {
    await makeDurably(path);
    await makeDurably(join(path, 'intents'));
    await makeDurably(join(path, 'former'));
    return new StateDirectory(path);
  }

  /** The text of the persisted machine configuration; undefined before the first one. */
  readConfiguration(): Promise<string | undefined> {
    return this.#read('config.yaml');
  }

  /**
   * Persists a configuration and its number. The number goes first: after a crash in between it is one too high,
   * which refuses a change made from the old number; one too low would let it through.
   */
  async writeConfiguration(text: string, version: number): Promise<void> {
    await this.writeVersion(version);
    await this.#turn.run(() => writeSecretText(join(this.path, 'config.yaml'), text));
  }

  /** The last number given to a configuration; 0 before the first one. */
  async readVersion(): Promise<number> {
    const text = await this.#read('config.version');
    if (text === undefined) return 0;
    const version = Number(text);
    if (Number.isSafeInteger(version) && version > 0) return version;
    throw new PersistenceError('ERR_STATE_DAMAGED', `${join(this.path, 'config.version')}: not a number`);
  }

  writeVersion(version: number): Promise<void> {
    return this.#turn.run(() => writeFileAtomic(join(this.path, 'config.version'), `${version}\n`));
  }

  /** The UUID of a machine whose firmware has none; `make` is asked once in the life of the directory. */
  async machineUuid(make: () => string): Promise<string> {
    const known = await this.#read('machine-uuid');
    if (known !== undefined) return known.trim();
    const made = make();
    await this.#turn.run(() => writeFileAtomic(join(this.path, 'machine-uuid'), `${made}\n`));
    return made;
  }

  /** The salt for keys that are locked to STATE, made at the first call in the life of the directory. */
  encryptionSalt(): Promise<Secret> {
    const path = join(this.path, 'encryption-salt.yaml');
    return this.#turn.run(() => readOrMakeSalt(path, () => Secret.random(saltBytes)));
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      const file = join(this.path, name);
      return decodeAndWipe(await readFile(file), { file });
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}

/** A directory is there after a power cut only when its parent was synced. */
async function makeDurably(path: string): Promise<void> {
  const made = await makeDirectory(path);
  if (made === undefined) return;
  await using parent = await open(dirname(made), 'r');
  await parent.sync();
}
