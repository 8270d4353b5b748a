import type { DmesgRequestInit, DmesgResponse } from '@nodecore/api/kernel-log';

import type { Target } from '../nodes/target.ts';

/** Makes a call that goes on where the answers of the one before have ended. */
export function goingOn(
  { client, node }: Pick<Target, 'client' | 'node'>,
  request: DmesgRequestInit,
  signal: AbortSignal,
): () => AsyncIterable<DmesgResponse> {
  const position: { bootId: string; afterSequence?: bigint } = { bootId: '' };
  return async function* () {
    for await (const answer of client.dmesg({ ...request, ...position }, { node, signal })) {
      const { bootId, lastSequence } = answer;
      if (bootId !== position.bootId) delete position.afterSequence;
      position.bootId = bootId;
      if (lastSequence !== undefined) position.afterSequence = lastSequence;
      yield answer;
    }
  };
}
