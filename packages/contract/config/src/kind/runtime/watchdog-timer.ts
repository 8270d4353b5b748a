import { document } from '../../document.ts';
import { text } from '../../field/text.ts';
import { fallback, required } from '../../field/type.ts';
import { duration } from '../../type/duration.ts';

const device = text({
  pattern: {
    regex: /^\/dev\/watchdog\d{0,3}$/u,
    code: 'watchdog.device',
    message: 'must be a watchdog such as /dev/watchdog0',
  },
});

/** `WatchdogTimerConfig`: hardware that restarts the machine when the node hangs. */
export const watchdogTimer = document(
  'WatchdogTimerConfig',
  'hardware that restarts the machine when the node hangs',
  () => ({
    takesEffect: 'live',
    container: 'ignored',
    fields: {
      device: required('its device', device),
      timeout: fallback(
        'how long the node may hang; services outlive an agent that hangs only with 30 s or more, since the machine goes with less first',
        duration({ least: '10s', most: '18h', whole: true }),
        '1m',
      ),
    },
    example: 'device: /dev/watchdog0\ntimeout: 2m\n',
  }),
);
