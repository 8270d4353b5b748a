import { readFile } from 'node:fs/promises';

/** One line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)). */
export type Mount = {
  readonly id: number;
  readonly parentId: number;
  /** Major and minor number of the filesystem's device. */
  readonly deviceNumber: string;
  /** The directory of the filesystem that is mounted; `/` unless it is a bind mount. */
  readonly root: string;
  readonly target: string;
  /** Of this mount: `rw`, `nosuid`, … */
  readonly options: readonly string[];
  readonly type: string;
  readonly source: string;
  /** Of the filesystem, shared by all its mounts. */
  readonly superOptions: readonly string[];
};

/** The mounts of this process's namespace, in the order in which the kernel lists them. */
export async function readMounts(): Promise<Mount[]> {
  return parseMountinfo(await readFile('/proc/self/mountinfo', 'utf8'));
}

/** Reads the format of proc_pid_mountinfo(5); leaves out lines with too few fields, such as the empty last one. */
export function parseMountinfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): Mount | undefined {
  const words = line.split(' ');
  const separator = words.indexOf('-', 6); // before it: any number of optional fields
  const [id, parentId, deviceNumber, root, target, options] = words;
  const [type, source, superOptions] = words.slice(separator + 1);
  if (separator === -1 || options === undefined || root === undefined || target === undefined)
    return undefined;
  if (deviceNumber === undefined || type === undefined || source === undefined) return undefined;
  return {
    id: Number(id),
    parentId: Number(parentId),
    deviceNumber,
    root: unescapeOctal(root),
    target: unescapeOctal(target),
    options: options.split(','),
    type,
    source: unescapeOctal(source),
    superOptions: (superOptions ?? '').split(',').map(unescapeOctal),
  };
}

/** The kernel writes blank, tab, newline, backslash and hash as `\040`, …, byte by byte. */
export function unescapeOctal(text: string): string {
  return text.replaceAll(/\\([0-3][0-7]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
