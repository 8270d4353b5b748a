import { document } from '../../document.ts';
import { map } from '../../field/list.ts';
import { required } from '../../field/type.ts';
import { kernelValue, sysfsName } from '../../type/kernel-parameter.ts';

/** `SysfsConfig`: attributes of devices and the kernel. */
export const sysfs = document('SysfsConfig', 'attributes of devices and the kernel, below /sys', () => ({
  takesEffect: 'live',
  container: 'ignored',
  fields: {
    params: required(
      'value by name: devices.system.cpu.cpu0.cpufreq.scaling_governor, or with / where a part has a dot',
      map(kernelValue, { names: sysfsName }),
    ),
  },
  example: 'params:\n  devices.system.cpu.cpu0.cpufreq.scaling_governor: performance\n',
}));
