import { FileWatch } from '@nodecore/sys';

import { SigningKeys } from './signing-keys.ts';

/**
 * The keys of files, read again when one of them changes: a rotation needs no restart. Files that can't be used leave the keys that were
 * there in place.
 */
export class KeyFiles implements Disposable {
  readonly #paths: readonly string[];
  readonly #warn: (line: string) => void;
  #current: SigningKeys;
  #watch: FileWatch | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;

  private constructor(paths: readonly string[], current: SigningKeys, warn: (line: string) => void) {
    this.#paths = paths;
    this.#current = current;
    this.#warn = warn;
  }

  /**
   * Without a path there is a key that ends with the process.
   *
   * @param warn is told what an operator should know, one line each.
   * @throws {FactoryError} with `ERR_FACTORY_SETUP` for files that can't be used.
   */
  static async open(paths: readonly string[], warn: (line: string) => void): Promise<KeyFiles> {
    if (paths.length === 0) {
      warn(
        'authentication.tokens.keyPaths is empty: tokens end with this process, and no other one takes them',
      );
      return new KeyFiles(paths, await SigningKeys.generate(), warn);
    }
    const files = new KeyFiles(paths, await SigningKeys.load(paths), warn);
    files.#watch = new FileWatch(
      paths,
      () => void files.reload(),
      (directory) => warn(`changes of keys in ${directory} are not seen: start anew after them`),
    );
    // What changed between the first reading and the watch.
    await files.reload();
    return files;
  }

  get current(): SigningKeys {
    return this.#current;
  }

  /** Resolves when what was in the files at the call, or later, is in use or was refused. */
  async reload(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#read();
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        this.#current = await SigningKeys.load(this.#paths);
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'can not be read';
        this.#warn(`keys of tokens stay as they were: ${reason}`);
      }
    }
    this.#reading = undefined;
  }

  [Symbol.dispose](): void {
    this.#watch?.[Symbol.dispose]();
  }
}
