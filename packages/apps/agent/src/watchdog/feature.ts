import type { Json } from '@nodecore/state';

import { configured } from '../applied/applied-controller.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { watchdogTimerConfigs, watchdogTimerStatuses } from './definitions.ts';
import { watchdogController } from './watchdog.ts';

/** The hardware that restarts the machine when the node hangs. */
export const watchdog: Feature<undefined> = feature({
  name: 'watchdog',
  needs: { node },
  writes: [watchdogTimerConfigs, watchdogTimerStatuses],
  make: ({ node: { store, options } }) => ({
    handle: undefined,
    controllers: [watchdogController({ init: options.init })],
    configure: ({ configuration }) => {
      const { device, timeout } = configuration.get('WatchdogTimerConfig') ?? {};
      const spec: Json =
        device === undefined || timeout === undefined ? {} : { device, timeoutSeconds: timeout.ms / 1000 };
      store.replace(kindOf(watchdogTimerConfigs), new Map([[configured, spec]]), 'watchdog');
    },
  }),
});
