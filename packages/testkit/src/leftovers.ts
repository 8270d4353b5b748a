import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * What a test run must not leave on the machine: loop devices with a file behind them, device-mapper targets, named
 * network namespaces, and processes of the kinds that tests start.
 */
export function leftovers(): ReadonlySet<string> {
  return new Set([...loopDevices(), ...mappings(), ...namespaces(), ...processes()]);
}

function loopDevices(): string[] {
  return entries('/sys/block')
    .filter((name) => name.startsWith('loop'))
    .flatMap((name) => {
      const file = text(`/sys/block/${name}/loop/backing_file`);
      return file === undefined ? [] : [`loop device /dev/${name} on ${file}`];
    });
}

function mappings(): string[] {
  return entries('/sys/block')
    .filter((name) => name.startsWith('dm-'))
    .map((name) => `device-mapper target ${text(`/sys/block/${name}/dm/name`) ?? name}`);
}

function namespaces(): string[] {
  return entries('/run/netns').map((name) => `network namespace ${name}`);
}

const ours = /^(qemu-system-.*|swtpm|etcd)$/;

function processes(): string[] {
  return entries('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const program = readlinkSync(`/proc/${pid}/exe`).split('/').pop() ?? '';
      return ours.test(program) ? [`process ${pid} (${program})`] : [];
    } catch {
      return []; // ended meanwhile, or not ours to look at
    }
  });
}

function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
