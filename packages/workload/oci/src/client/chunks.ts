import { systemClock, within } from '@nodecore/waiting';

import { OciError } from '../errors.ts';

/**
 * The body of an answer; given up when nothing comes for a while.
 *
 * @throws {OciError} with `ERR_OCI_UNAVAILABLE` when the connection ends early or is silent.
 */
export async function* chunksOf(
  answer: Response,
  silenceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return;
  const host = URL.parse(answer.url)?.host ?? 'the registry';
  try {
    for (;;) {
      const read = await within(systemClock, silenceMs, reader.read());
      signal?.throwIfAborted();
      if (read === undefined)
        throw new OciError('ERR_OCI_UNAVAILABLE', `${host}: silent for ${silenceMs / 1000} s`);
      const { done, value } = read.value;
      if (done) return;
      yield value as Uint8Array;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OciError) throw error;
    throw new OciError('ERR_OCI_UNAVAILABLE', `${host}: the connection ended early`, { cause: error });
  } finally {
    await reader.cancel().catch(() => {}); // the consumer may leave at any time
  }
}
