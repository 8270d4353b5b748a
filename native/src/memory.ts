/** Memory for keys, and a process that does not let them out. */
import { addon } from './addon.ts';
import { type NativeError, systemCallError, translated } from './errors.ts';

export { NativeError, type NativeErrorCode } from './errors.ts';

export type SecretMemoryOptions = {
  /** Told once, when the kernel locks no more: what is beyond is used all the same, and may be swapped. */
  readonly onUnlocked?: (reason: NativeError) => void;
};

/**
 * Memory that is locked, left out of core dumps and zeroed in forked children, of the size that is asked for. It is overwritten
 * when its buffer is collected; whoever puts a key there overwrites it before.
 *
 * @throws {NativeError} `ERR_NATIVE_LOAD` at once when there is no addon.
 */
export function secretMemory(options: SecretMemoryOptions = {}): (sizeBytes: number) => ArrayBuffer {
  const native = addon();
  let told = false;
  return (sizeBytes) => {
    const memory = translated('memory for keys', () => native.secretMemory(sizeBytes));
    const failure = told ? undefined : native.secretMemoryLockFailure();
    if (failure !== undefined) {
      told = true;
      options.onUnlocked?.(systemCallError(failure, 'memory for keys'));
    }
    return memory;
  };
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

/** Overwrites what earlier calls have left on the stack of this thread, where Node.js decrypts what it has received. */
export function wipeStack(): void {
  addon().wipeStack();
}
