import { aborted } from '@nodecore/waiting';

import { eventLog } from '../events/feature.ts';
import { lifecycle } from '../lifecycle/feature.ts';
import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';

/** What PID 1 passes on: somebody has pressed the power button, or Ctrl-Alt-Del. */
export const init: Feature<undefined> = feature({
  name: 'init',
  needs: { node, eventLog, lifecycle },
  make: ({ node: { options, log }, eventLog: events, lifecycle: life }) => ({
    handle: undefined,
    run: async (signal) => {
      const channel = options.init;
      if (channel === undefined) return await aborted(signal);
      const formerEnd = channel.takeFormerEnd();
      if (formerEnd !== undefined) {
        const message = `the agent ${formerEnd}, and PID 1 has started it again`;
        log.warn(message);
        events.emit({ type: 'service', service: 'agent', action: 'failed', message });
      }
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
