import { tableOf } from '../table.ts';

tableOf('StaticHostConfig', {
  reads: [
    [
      'name: 10.0.0.10\nhostnames: [registry.example, registry]\n',
      {
        name: { text: '10.0.0.10', family: 'ipv4', value: 0x0a_00_00_0an },
        hostnames: ['registry.example', 'registry'],
      },
    ],
    [
      'name: fd00::10\nhostnames: [a]\n',
      { name: { text: 'fd00::10', family: 'ipv6', value: (0xfdn << 120n) | 0x10n } },
    ],
  ],
  refuses: [
    ['name: §host\nhostnames: [a]\n', 'address.invalid', 'name'],
    ['name: §fe80::1%eth0\nhostnames: [a]\n', 'address.invalid', 'name'],
    ['name: 10.0.0.1\nhostnames: §[]\n', 'list.short', 'hostnames'],
    ['name: 10.0.0.1\nhostnames: [a, §a]\n', 'list.duplicate', 'hostnames[1]'],
    ['name: 10.0.0.1\nhostnames: [§"a b"]\n', 'host.invalid', 'hostnames[0]'],
    ['name: 10.0.0.1\nhostnames: [§"a\\n10.0.0.2 b"]\n', 'host.invalid', 'hostnames[0]'],
  ],
});
