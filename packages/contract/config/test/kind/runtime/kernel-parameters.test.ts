import { tableOf } from '../table.ts';

tableOf('SysctlConfig', {
  reads: [
    [
      'params:\n  net.ipv4.ip_forward: 1\n  net/ipv6/conf/eth0.100/disable_ipv6: "1"\n  a.b: 0x10\n',
      {
        params: new Map([
          ['net.ipv4.ip_forward', '1'],
          ['net/ipv6/conf/eth0.100/disable_ipv6', '1'],
          ['a.b', '0x10'],
        ]),
      },
    ],
  ],
  refuses: [
    ['params:\n  §"": 1\n', 'sysctl.name', 'params.'],
    ['params:\n  §a..b: 1\n', 'sysctl.name', 'params.a..b'],
    ['params:\n  §../a: 1\n', 'sysctl.name', 'params.../a'],
    ['params:\n  §a/../b: 1\n', 'sysctl.name', 'params.a/../b'],
    ['params:\n  a.b: §"1\\n2"\n', 'parameter.value', 'params.a.b'],
    ['params:\n  a.b: §true\n', 'wrong_type', 'params.a.b'],
  ],
  warns: [
    ['params:\n  kernel.core_pattern: §"|/bin/x"\n', 'sysctl.owned', 'params.kernel.core_pattern'],
    ['params:\n  kernel/modules_disabled: §1\n', 'sysctl.owned', 'params.kernel/modules_disabled'],
  ],
});

tableOf('SysfsConfig', {
  accepts: ['params:\n  devices.system.cpu.cpu0.cpufreq.scaling_governor: performance\n'],
  refuses: [
    ['params:\n  §devices/x/uevent: add\n', 'sysfs.reserved', 'params.devices/x/uevent'],
    [
      'params:\n  §bus.pci.drivers.e1000.unbind: x\n',
      'sysfs.reserved',
      'params.bus.pci.drivers.e1000.unbind',
    ],
    ['params:\n  §power/state: mem\n', 'sysfs.reserved', 'params.power/state'],
  ],
});
