import { document } from '../../document.ts';
import { map } from '../../field/list.ts';
import { required } from '../../field/type.ts';
import { kernelValue, sysctlName } from '../../type/kernel-parameter.ts';

/** `SysctlConfig`: parameters of the running kernel. */
export const sysctl = document('SysctlConfig', 'parameters of the running kernel, below /proc/sys', () => ({
  takesEffect: 'live',
  fields: {
    params: required(
      'value by name: net.ipv4.ip_forward, or net/ipv6/conf/eth0.100/disable_ipv6 where a part has a dot',
      map(kernelValue, { names: sysctlName }),
    ),
  },
  check: ({ params }, at) => {
    for (const [name, value] of params) {
      const plain = name.replaceAll('/', '.');
      const place = at.at('params', name);
      if (plain === 'kernel.core_pattern' && value.startsWith('|'))
        place.warning('sysctl.owned', 'runs a program for each process that breaks');
      if (plain === 'kernel.modules_disabled')
        place.warning('sysctl.owned', 'keeps the node from loading modules until it boots again');
    }
  },
  example: 'params:\n  net.ipv4.ip_forward: 1\n  vm.max_map_count: 262144\n',
}));
