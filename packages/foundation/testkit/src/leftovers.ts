import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What is on the machine that a test run must not leave there, and whether this run made it. */
export type Leftovers = {
  readonly ours: ReadonlySet<string>;
  /** Of another run or program, as far as can be told. */
  readonly others: ReadonlySet<string>;
};

/**
 * Looks for loop devices with a file behind them, device-mapper targets, mounts, named network namespaces and processes.
 *
 * @param directory what the run gives its tests as `TMPDIR`. A thing is ours when its file or the device below it is in
 * there, when its name has the directory's name, or when a process has the directory in its environment or arguments.
 */
export function leftovers(directory: string): Leftovers {
  const found = [
    ...loopDevices(directory),
    ...mappings(directory),
    ...mounts(directory),
    ...namespaces(directory),
    ...processes(directory),
  ];
  const named = (ours: boolean): Set<string> =>
    new Set(found.filter((thing) => thing.ours === ours).map(({ name }) => name));
  return { ours: named(true), others: named(false) };
}

type Thing = { readonly name: string; readonly ours: boolean };

function loopDevices(directory: string): Thing[] {
  return entries('/sys/block').flatMap((name) => {
    const file = backingFile(name);
    return file === undefined
      ? []
      : [{ name: `loop device /dev/${name} on ${file}`, ours: isBelow(file, directory) }];
  });
}

function mappings(directory: string): Thing[] {
  return entries('/sys/block')
    .filter((device) => device.startsWith('dm-'))
    .map((device) => {
      const name = text(`/sys/block/${device}/dm/name`) ?? device;
      const ours = carries(name, directory) || isStackedOn(device, directory);
      return { name: `device-mapper target ${name}`, ours };
    });
}

/** Whether one of the devices below, at any depth, is a loop device on a file of ours; partitions count as their disk. */
function isStackedOn(device: string, directory: string): boolean {
  return entries(`/sys/class/block/${device}/slaves`).some((slave) => {
    const disk = text(`/sys/class/block/${slave}/partition`) === undefined ? slave : diskOf(slave);
    return isBelow(backingFile(disk) ?? '', directory) || isStackedOn(disk, directory);
  });
}

function diskOf(partition: string): string {
  return readlinkSync(`/sys/class/block/${partition}`).split('/').at(-2) ?? partition;
}

function mounts(directory: string): Thing[] {
  return (text('/proc/self/mounts') ?? '')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((target) => isBelow(target, directory))
    .map((target) => ({ name: `mount ${target}`, ours: true }));
}

function namespaces(directory: string): Thing[] {
  return entries('/run/netns').map((name) => ({
    name: `network namespace ${name}`,
    ours: carries(name, directory),
  }));
}

/** Programs that tests start: they are named also where another run made them. */
const usual = /^(qemu-system-.*|swtpm|etcd)$/;

function processes(directory: string): Thing[] {
  return entries('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return [];
    const program = programOf(pid);
    if (program === undefined) return [];
    const words = [...parts(`/proc/${pid}/cmdline`), ...parts(`/proc/${pid}/environ`)];
    const ours = words.some((word) => `${word}/`.includes(`${directory}/`));
    return ours || usual.test(program) ? [{ name: `process ${pid} (${program})`, ours }] : [];
  });
}

function programOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`).split('/').pop();
  } catch {
    return undefined; // a thread of the kernel, ended meanwhile, or another user's
  }
}

function parts(path: string): readonly string[] {
  return (text(path) ?? '').split('\0');
}

function backingFile(device: string): string | undefined {
  return text(`/sys/block/${device}/loop/backing_file`);
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(`${directory}/`);
}

/** For what has a name but no path. */
function carries(name: string, directory: string): boolean {
  return name.includes(directory.slice(directory.lastIndexOf('/') + 1));
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
