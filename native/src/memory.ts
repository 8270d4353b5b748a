/** Memory for keys, and a process that does not let them out. */
import { addon } from './addon.ts';
import { type NativeError, systemCallError, translated } from './errors.ts';

export { NativeError, type NativeErrorCode } from './errors.ts';

export type SecretMemoryOptions = {
  /** Told once, when the kernel locks no more: what is beyond is used all the same, and may be swapped. */
  readonly onUnlocked?: (reason: NativeError) => void;
};

export type SecretMemory = {
  /** Overwritten when its buffer is collected; the owner of a key overwrites it before. */
  readonly allocate: (sizeBytes: number) => ArrayBuffer;
  /**
   * Overwrites what earlier calls have left on the stack of this thread, where Node.js decrypts what it has received, and in the
   * small blocks that malloc keeps for it. Takes some 0.1 ms.
   */
  readonly wipeTraces: () => void;
};

/**
 * Memory that is locked, left out of core dumps and zeroed in forked children.
 *
 * @throws {NativeError} `ERR_NATIVE_LOAD` at once when there is no addon.
 */
export function secretMemory(options: SecretMemoryOptions = {}): SecretMemory {
  const native = addon();
  let told = false;
  const allocate = (sizeBytes: number): ArrayBuffer => {
    const memory = translated('memory for keys', () => native.secretMemory(sizeBytes));
    const failure = told ? undefined : native.secretMemoryLockFailure();
    if (failure !== undefined) {
      told = true;
      options.onUnlocked?.(systemCallError(failure, 'memory for keys'));
    }
    return memory;
  };
  return { allocate, wipeTraces: () => native.wipeTraces() };
}

/**
 * For a program that holds keys, at its start: the kernel writes no core dump of it and lets only root look in, and malloc
 * overwrites what is freed. Children have no core dumps either. Not to be undone.
 *
 * @throws {NativeError} when the kernel refuses, which no Linux does.
 */
export function guardMemory(): void {
  const native = addon();
  translated('this process', () => native.forbidDumps());
  native.wipeFreedMemory();
}
