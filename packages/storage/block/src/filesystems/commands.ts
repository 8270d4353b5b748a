/** What is known about a device when a filesystem is to be made on it. */
export type FormatFacts = {
  readonly path: string;
  readonly uuid: string;
  readonly label?: string;
  /** Tell the disk first that nothing on it is needed. */
  readonly discard: boolean;
  readonly sizeBytes: bigint;
  readonly rotational: boolean;
  readonly cpus: number;
  /** Smallest allocation group worth its own CPU; 64 GiB unless given. */
  readonly xfsMinAllocationGroupSize?: bigint;
};

/** What the installed mkfs.xfs and its configuration files offer. */
export type XfsSupport = {
  readonly concurrency: boolean;
  /** A file that keeps to the features of the running kernel's long-term series. */
  readonly profile?: string;
};

const smallXfsBytes = 300n << 20n;
const defaultGroupBytes = 64n << 30n;

/** Never with force: what mkfs finds, and we did not, shall stop it. */
export function xfsArguments(facts: FormatFacts, support: XfsSupport): string[] {
  const { path, uuid, label, sizeBytes } = facts;
  const small = sizeBytes <= smallXfsBytes; // mkfs.xfs makes such filesystems only on request
  return [
    '-q',
    ...(facts.discard ? [] : ['-K']),
    ...(small ? ['--unsupported'] : []),
    ...(support.profile === undefined ? [] : ['-c', `options=${support.profile}`]),
    '-m',
    `uuid=${uuid}`,
    '-n',
    'ftype=1',
    ...(support.concurrency && !facts.rotational ? concurrencyArguments(facts) : []),
    ...(label === undefined ? [] : ['-L', label]),
    path,
  ];
}

function concurrencyArguments({
  sizeBytes,
  cpus,
  xfsMinAllocationGroupSize = defaultGroupBytes,
}: FormatFacts): string[] {
  const smallest = xfsMinAllocationGroupSize === 0n ? defaultGroupBytes : xfsMinAllocationGroupSize;
  const groups = sizeBytes / smallest;
  const wanted = groups < BigInt(cpus) ? Number(groups) : cpus;
  const concurrency = wanted < 2 ? 0 : wanted; // 0 = the geometry of a rotating disk
  return ['-d', `concurrency=${concurrency}`, '-l', `concurrency=${concurrency}`];
}

/** For mkfs.ext4(8), which discards unless told otherwise. Never with `-F`: a device in use shall stop it. */
export function ext4Arguments({ path, uuid, label, discard }: FormatFacts): string[] {
  return [
    '-q',
    ...(discard ? [] : ['-E', 'nodiscard']),
    '-U',
    uuid,
    ...(label === undefined ? [] : ['-L', label]),
    path,
  ];
}

/** For mkfs.btrfs(8), where `-K` leaves out the discard. Never with `-f`: what it finds, and we did not, shall stop it. */
export function btrfsArguments({ path, uuid, label, discard }: FormatFacts): string[] {
  return ['-q', ...(discard ? [] : ['-K']), '-U', uuid, ...(label === undefined ? [] : ['-L', label]), path];
}

/** For mkswap(8), which never discards: that is done when the swap space is taken into use. */
export function swapArguments({ path, uuid, label }: FormatFacts): string[] {
  return ['-q', '-U', uuid, ...(label === undefined ? [] : ['-L', label]), path];
}

/** The newest profile that is no newer than the kernel: `lts_6.1.conf` on 6.5. */
export function profileFor(kernelRelease: string, files: readonly string[]): string | undefined {
  const kernel = versionOf(kernelRelease);
  let best: { readonly file: string; readonly version: number } | undefined;
  for (const file of files) {
    const match = /^lts_(\d+\.\d+)\.conf$/.exec(file);
    if (match === null) continue;
    const version = versionOf(match[1] ?? '');
    if (version <= kernel && (best === undefined || version > best.version)) best = { file, version };
  }
  return best?.file;
}

function versionOf(text: string): number {
  const [major = '0', minor = '0'] = text.split('.');
  return Number.parseInt(major, 10) * 1000 + Number.parseInt(minor, 10);
}
