import { aborted } from '@nodecore/waiting';

import { lifecycle } from '../lifecycle/feature.ts';
import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';

/** What PID 1 passes on: somebody has pressed the power button, or Ctrl-Alt-Del. */
export const init: Feature<undefined> = feature({
  name: 'init',
  needs: { node, lifecycle },
  make: ({ node: { options, log }, lifecycle: life }) => ({
    handle: undefined,
    run: async (signal) => {
      const channel = options.init;
      if (channel === undefined) return await aborted(signal);
      for await (const request of channel.asked(signal)) {
        log.info({ request }, 'asked at the machine');
        try {
          if (request === 'power-button') life.begin('shutdown', { takesOver: true });
          else life.begin('reboot', { takesOver: false });
        } catch (error) {
          log.warn({ err: error }, 'not now');
        }
      }
    },
  }),
});
