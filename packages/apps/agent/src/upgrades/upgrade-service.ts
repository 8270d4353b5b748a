import {
  type LifecycleServiceHandlers,
  type UpgradeRequest,
  type UpgradeResponseInit,
} from '@nodecore/api/lifecycle';
import type { MachineServiceHandlers, RollbackRequest, RollbackResponseInit } from '@nodecore/api/machine';

import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from '../server/handlers.ts';
import { toldProgress } from './told-progress.ts';
import type { Upgrades } from './upgrades.ts';

/** Upgrades for callers; one that has begun goes on when its caller has gone. */
export function upgradeHandlers(
  upgrades: Pick<Upgrades, 'upgrade'>,
  options: HandlerOptions,
): Pick<LifecycleServiceHandlers, 'upgrade'> {
  return {
    upgrade: streaming(
      options,
      async function* (request: UpgradeRequest, context: CallContext): AsyncGenerator<UpgradeResponseInit> {
        const { source, expectedDigest, dryRun, force } = request;
        const order = { image: source?.imageName ?? '', expectedDigest, dryRun, force };
        const note = audited(options.log, context, { action: 'upgrade', image: order.image, dryRun, force });
        yield* toldProgress(
          (tell) => upgrades.upgrade(order, tell),
          (code) => note.end(code === undefined ? 'done' : 'failed', code),
        );
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
    rollback: unary(
      options,
      ({ force }: RollbackRequest, context: CallContext): Promise<RollbackResponseInit> => {
        const note = audited(options.log, context, { action: 'rollback', force });
        return note.of(upgrades.rollback({ force }));
      },
    ),
  };
}
