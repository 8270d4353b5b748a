import type { InstallRequest, InstallResponseInit, LifecycleServiceHandlers } from '@nodecore/api/lifecycle';

import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';
import { toldProgress } from '../upgrades/told-progress.ts';
import type { Installs } from './installs.ts';

/** Installations for callers; one that has begun goes on when its caller has gone. */
export function installHandlers(
  installs: Pick<Installs, 'install'>,
  options: HandlerOptions,
): Pick<LifecycleServiceHandlers, 'install'> {
  return {
    install: streaming(
      options,
      async function* (request: InstallRequest, context: CallContext): AsyncGenerator<InstallResponseInit> {
        const { source, destination, expectedDigest, dryRun, force, wipe } = request;
        const order = {
          image: source?.imageName ?? '',
          disk: destination?.disk ?? '',
          expectedDigest,
          dryRun,
          force,
          wipe,
        };
        const { image, disk } = order;
        const note = audited(options.log, context, { action: 'install', image, disk, wipe, dryRun, force });
        yield* toldProgress(
          (tell) => installs.install(order, tell),
          (code) => note.end(code === undefined ? 'done' : 'failed', code),
        );
      },
    ),
  };
}
