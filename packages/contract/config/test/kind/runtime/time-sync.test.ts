import { tableOf } from '../table.ts';

tableOf('TimeSyncConfig', {
  reads: [
    ['enabled: false\n', { enabled: false, bootTimeout: { text: '0s', ms: 0 } }],
    ['bootTimeout: 0\n', { enabled: true, bootTimeout: { text: '0', ms: 0 } }],
    [
      'ntp: {servers: [a.example, 10.0.0.1]}\n',
      { ntp: { servers: ['a.example', '10.0.0.1'], useNTS: false } },
    ],
    ['ptp: {devices: [/dev/ptp0]}\n', { ptp: { devices: ['/dev/ptp0'] } }],
  ],
  accepts: ['ntp: {useNTS: true}\n'],
  refuses: [
    ['bootTimeout: §-1s\n', 'duration.negative', 'bootTimeout'],
    ['bootTimeout: §soon\n', 'duration.invalid', 'bootTimeout'],
    ['bootTimeout: §5\n', 'duration.invalid', 'bootTimeout'],
    ['ntp: {}\nptp: §{devices: [/dev/ptp0]}\n', 'fields.at_most_one', 'ptp'],
    ['ntp: {servers: [a.example, §10.0.0.1], useNTS: true}\n', 'time.nts_address', 'ntp.servers[1]'],
    ['ntp: {servers: [§"a\\nallow"]}\n', 'host.invalid', 'ntp.servers[0]'],
    ['ntp: {servers: [§"a iburst"]}\n', 'host.invalid', 'ntp.servers[0]'],
    ['ntp: {servers: §[]}\n', 'list.short', 'ntp.servers'],
    ['ptp: {devices: [§/dev/sda]}\n', 'time.device', 'ptp.devices[0]'],
    ['ptp: {devices: [§/dev/ptp/../sda]}\n', 'time.device', 'ptp.devices[0]'],
    ['ptp: §{}\n', 'required', 'ptp.devices'],
  ],
});
