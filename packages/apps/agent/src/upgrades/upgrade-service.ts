import {
  type LifecycleServiceHandlers,
  UpgradePhase,
  type UpgradeRequest,
  type UpgradeResponseInit,
} from '@nodecore/api/lifecycle';
import type { MachineServiceHandlers, RollbackResponseInit } from '@nodecore/api/machine';
import { codeOf } from '@nodecore/sys';
import { ProgressLog } from '@nodecore/waiting';

import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from '../server/handlers.ts';
import type { UpgradeEvent, UpgradeOrder } from './upgrade.ts';
import type { Upgrades } from './upgrades.ts';

/** Upgrades for callers; one that has begun goes on when its caller has gone. */
export function upgradeHandlers(
  upgrades: Pick<Upgrades, 'upgrade'>,
  options: HandlerOptions,
): LifecycleServiceHandlers {
  return {
    upgrade: streaming(
      options,
      async function* (request: UpgradeRequest, context: CallContext): AsyncGenerator<UpgradeResponseInit> {
        const { source, expectedDigest, dryRun, force } = request;
        const order = { image: source?.imageName ?? '', expectedDigest, dryRun, force };
        const note = audited(options.log, context, { action: 'upgrade', image: order.image, dryRun, force });
        yield* told(upgrades, order, (code) => note.end(code === undefined ? 'done' : 'failed', code));
      },
    ),
  };
}

/** The way back for callers. */
export function rollbackHandler(
  upgrades: Pick<Upgrades, 'rollback'>,
  options: HandlerOptions,
): Pick<MachineServiceHandlers, 'rollback'> {
  return {
    rollback: unary(options, (_request: unknown, context: CallContext): Promise<RollbackResponseInit> => {
      const note = audited(options.log, context, { action: 'rollback' });
      return note.of(upgrades.rollback());
    }),
  };
}

/**
 * What fails before the first event is the error of the call; what fails later is a message and an exit code, as clients of this
 * method expect it.
 */
async function* told(
  upgrades: Pick<Upgrades, 'upgrade'>,
  order: UpgradeOrder,
  ended: (code: string | undefined) => void,
): AsyncGenerator<UpgradeResponseInit> {
  const events = new ProgressLog<UpgradeEvent>();
  let failure: { readonly error: unknown } | undefined;
  const work = upgrades
    .upgrade(order, (event) => events.append(event))
    .then(
      () => ended(undefined),
      (error: unknown) => {
        failure = { error };
        ended(codeOf(error) ?? 'none');
      },
    )
    .finally(() => events.end());
  let isBegun = false;
  for await (const event of events.entries()) {
    isBegun = true;
    yield response(event);
  }
  await work;
  if (failure !== undefined && !isBegun) throw failure.error;
  if (failure !== undefined) yield { message: messageOf(failure.error) };
  yield { exitCode: failure === undefined ? 0 : 1 };
}

const phases: Readonly<Record<UpgradeEvent['phase'], UpgradePhase>> = {
  pull: UpgradePhase.PULL,
  verify: UpgradePhase.VERIFY,
  write: UpgradePhase.WRITE,
  prove: UpgradePhase.PROVE,
  switch: UpgradePhase.SWITCH,
};

function response({ phase, doneBytes, totalBytes, ...facts }: UpgradeEvent): UpgradeResponseInit {
  return {
    ...facts,
    phase: phases[phase],
    ...(doneBytes !== undefined && { doneBytes: BigInt(doneBytes) }),
    ...(totalBytes !== undefined && { totalBytes: BigInt(totalBytes) }),
  };
}

/** A defect of ours, which has no code, may have anything in its message. */
function messageOf(error: unknown): string {
  const code = codeOf(error);
  return code === undefined || !(error instanceof Error) ? 'internal error' : `${error.message} (${code})`;
}
