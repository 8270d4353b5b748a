import { builtin } from '@nodecore/sys/pure';
import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { atMostOne } from '../../field/rule.ts';
import { boolean } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { fallback, optional, required } from '../../field/type.ts';
import { duration } from '../../type/duration.ts';
import { host } from '../../type/endpoint.ts';

const net = builtin('node:net');

const device = text({
  pattern: {
    regex: /^\/dev\/ptp[A-Za-z0-9_-]+$/u,
    code: 'time.device',
    message: 'must be a clock such as /dev/ptp0',
  },
});

/** `TimeSyncConfig`: where the clock is set from. */
export const timeSync = document('TimeSyncConfig', 'where the clock is set from', () => ({
  takesEffect: 'live',
  container: 'ignored',
  replaces: ['machine.time.disabled', 'machine.time.servers', 'machine.time.bootTimeout'],
  fields: {
    enabled: fallback('the node sets its clock', boolean, true),
    bootTimeout: fallback('how long a boot waits for the time; 0: for ever', duration(), '0s'),
    ntp: optional(
      'servers that are asked',
      object({
        servers: optional('by name, or by address', list(host, { least: 1, most: 32 })),
        useNTS: fallback('only answers that are authenticated count (NTS)', boolean, false),
      }),
    ),
    ptp: optional(
      'clocks of the machine',
      object({ devices: required('their devices', list(device, { least: 1, most: 8 })) }),
    ),
  },
  rules: [atMostOne('ntp', 'ptp')],
  check({ ntp }, at) {
    if (ntp?.useNTS !== true) return;
    for (const [index, server] of (ntp.servers ?? []).entries()) {
      if (net().isIP(server) !== 0)
        at.at('ntp', 'servers', index).problem(
          'time.nts_address',
          'must be a name with NTS: its certificate has no address',
        );
    }
  },
  example: 'ntp:\n  servers: [time.cloudflare.com]\n  useNTS: true\nbootTimeout: 2m\n',
}));
