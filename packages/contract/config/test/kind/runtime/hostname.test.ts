import { tableOf } from '../table.ts';

const label = 'a'.repeat(63);

tableOf('HostnameConfig', {
  reads: [
    ['hostname: node-1.example\n', { hostname: 'node-1.example' }],
    ['auto: stable\n', { auto: 'stable' }],
    ['auto: off\nhostname: Node\n', { auto: 'off', hostname: 'Node' }],
  ],
  accepts: [`hostname: ${label}.b\n`, 'auto: off\n', 'hostname: "1"\n'],
  refuses: [
    ['auto: stable\nhostname: §a\n', 'fields.only_where', 'hostname'],
    ['auto: §on\n', 'invalid_value', 'auto'],
    [`hostname: §a${label}\n`, 'hostname.invalid', 'hostname'],
    ['hostname: §-a\n', 'hostname.invalid', 'hostname'],
    ['hostname: §a_b\n', 'hostname.invalid', 'hostname'],
    ['hostname: §a..b\n', 'hostname.invalid', 'hostname'],
    [`hostname: §${`${label}.`.repeat(4)}a\n`, 'text.length', 'hostname'],
    ['hostname: §""\n', 'text.empty', 'hostname'],
  ],
});
