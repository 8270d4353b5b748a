import { BlockError } from './errors.ts';

/** How long a call on a device may take. */
export type Patience = {
  /** After this the call counts as slow: others stop waiting for it, its caller does not. */
  readonly slowMs: number;
  /** After this the device counts as unresponsive. */
  readonly deadlineMs: number;
};

/**
 * Waits for a call on a device until its deadline, then throws `ERR_BLOCK_UNRESPONSIVE`. The call itself goes on: nobody
 * can interrupt it.
 */
export async function withDeadline<T>(
  device: string,
  result: Promise<T>,
  patience: Patience,
  onSlow: () => void = () => {},
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const slow = setTimeout(onSlow, Math.min(patience.slowMs, patience.deadlineMs));
  const expired = setTimeout(() => {
    const message = `${device}: no answer within ${patience.deadlineMs} ms`;
    reject(new BlockError('ERR_BLOCK_UNRESPONSIVE', device, message));
  }, patience.deadlineMs);
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(slow);
    clearTimeout(expired);
  }
}
