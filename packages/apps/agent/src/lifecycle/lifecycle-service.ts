import {
  type MachineServiceHandlers,
  RebootMode,
  type RebootRequest,
  type RebootResponseInit,
  type ShutdownRequest,
  type ShutdownResponseInit,
} from '@nodecore/api/machine';

import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, unary } from '../server/handlers.ts';
import { LifecycleError } from './errors.ts';
import type { Lifecycle } from './lifecycle.ts';

const modes: ReadonlyMap<RebootMode, 'default' | 'powercycle' | 'force'> = new Map([
  [RebootMode.DEFAULT, 'default'],
  [RebootMode.POWERCYCLE, 'powercycle'],
  [RebootMode.FORCE, 'force'],
]);

/** Reboot and shutdown for callers. */
export function lifecycleHandlers(
  lifecycle: Pick<Lifecycle, 'begin'>,
  options: HandlerOptions,
): Pick<MachineServiceHandlers, 'reboot' | 'shutdown'> {
  return {
    reboot: unary(
      options,
      async (request: RebootRequest, context: CallContext): Promise<RebootResponseInit> => {
        const mode = modes.get(request.mode);
        if (mode === undefined)
          throw new LifecycleError(
            'ERR_LIFECYCLE_REQUEST',
            `the node knows no reboot mode ${String(request.mode)}`,
          );
        const note = audited(options.log, context, { action: 'reboot', mode });
        return note.of(
          attempt(() =>
            lifecycle.begin('reboot', {
              takesOver: false,
              force: mode === 'force',
              kexec: mode === 'default',
            }),
          ),
        );
      },
    ),
    shutdown: unary(
      options,
      async ({ force }: ShutdownRequest, context: CallContext): Promise<ShutdownResponseInit> => {
        const note = audited(options.log, context, { action: 'shutdown', force });
        return note.of(attempt(() => lifecycle.begin('shutdown', { takesOver: true, force })));
      },
    ),
  };
}

async function attempt(begin: () => string): Promise<{ actorId: string }> {
  return { actorId: begin() };
}
