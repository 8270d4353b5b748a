import { tableOf } from '../table.ts';

tableOf('WatchdogTimerConfig', {
  reads: [['device: /dev/watchdog0\n', { device: '/dev/watchdog0', timeout: { text: '1m', ms: 60_000 } }]],
  accepts: ['device: /dev/watchdog\ntimeout: 10s\n'],
  refuses: [
    ['device: §/dev/sda\n', 'watchdog.device', 'device'],
    ['device: §/dev/watchdog/../sda\n', 'watchdog.device', 'device'],
    ['device: /dev/watchdog\ntimeout: §9s\n', 'duration.range', 'timeout'],
    ['device: /dev/watchdog\ntimeout: §10500ms\n', 'duration.whole', 'timeout'],
    ['timeout: 1m\n', 'required', 'device'],
  ],
});
