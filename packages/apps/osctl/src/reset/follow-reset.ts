import { ApiError } from '@nodecore/api';
import { type ResetResponse, ResetStep } from '@nodecore/api/storage';
import { shortSize, type Tell } from '@nodecore/cli';
import { policyOf } from '@nodecore/sys/pure';

import { notReset } from '../outcome.ts';

export type FollowResetOptions = {
  readonly tell: Tell;
  readonly signal: AbortSignal;
  /** Called once, with the reset's id in the events of the node. */
  readonly begun: (actorId: string) => void;
};

/**
 * Tells what a node says while it is reset. One whose connection is lost meanwhile goes on by itself.
 *
 * @returns whether it said that all was done. @throws {OutcomeError} `ERR_RESET` with what it says instead, and with what was not wiped.
 */
export async function followReset(
  node: string,
  events: AsyncIterable<ResetResponse>,
  { tell, signal, begun }: FollowResetOptions,
): Promise<boolean> {
  let shown = '';
  let step: ResetStep | undefined;
  const left: string[] = [];
  try {
    for await (const event of events) {
      if (step === undefined) begun(event.actorId);
      ({ step } = event);
      if (step === ResetStep.FAILED) throw notReset(node, event.message, event.code);
      if (step === ResetStep.WIPING && event.message !== '') left.push(`${event.name} ${event.message}`);
      const percent = percentOf(event);
      const line = lineOf(event, percent);
      if (line !== shown) tell(node, line, percent === undefined ? undefined : { what: event.name, percent });
      shown = line;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (step === undefined || !isLost(error)) throw error;
    if (step !== ResetStep.DONE) tell(node, 'the connection is lost; the reset goes on by itself');
  }
  if (step === ResetStep.DONE && left.length > 0)
    throw notReset(node, `${left.join(', ')} and was not wiped; all else is`, 'ERR_RESET');
  return step === ResetStep.DONE;
}

function isLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return policyOf(error)?.retry === 'helps' || error.code === 'ERR_API_CANCELLED';
}

/** How far it is with what it wipes. */
function percentOf({ step, doneBytes, sizeBytes, message }: ResetResponse): number | undefined {
  if (step !== ResetStep.WIPING || message !== '') return undefined;
  return sizeBytes === 0n ? 100 : Number((doneBytes * 100n) / sizeBytes);
}

function lineOf({ step, name, sizeBytes, message }: ResetResponse, percent: number | undefined): string {
  if (step === ResetStep.LEAVING) return 'leaves the kvstore';
  if (step === ResetStep.CLOSING) return 'ends services and closes volumes';
  if (step === ResetStep.DONE) return 'everything that was named is wiped';
  return percent === undefined ? `${name} ${message}` : `${name} ${percent} % of ${shortSize(sizeBytes)}`;
}
