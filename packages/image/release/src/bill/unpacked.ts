import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Component, debianComponent, readDpkgStatus } from '@nodecore/sbom';
import { codeOf } from '@nodecore/sys';

import { BuildError } from '../errors.ts';
import { cacheDirectory } from '../paths.ts';
import { run } from '../run.ts';
import { distributionHere } from './distribution.ts';

/** What `scripts/setup` unpacks: of which package of which suite; what says its version when its description was not kept. */
type Unpacked = {
  readonly name: string;
  readonly source: string;
  /** Undefined for the one that this machine has. */
  readonly distribution?: string;
  /** The first number with a dot is the version; where it is that of upstream, so it is said. */
  readonly version: readonly string[] | { readonly file: string };
};

const known: Readonly<Record<string, Unpacked>> = {
  'chrony/chronyc': chrony(),
  'chrony/chronyd': chrony(),
  'dhcpcd/dhcpcd': {
    name: 'dhcpcd-base',
    source: 'dhcpcd5',
    version: ['dhcpcd/dhcpcd', '--version'],
  },
  'etcd/etcd': etcd('etcd-server'),
  'etcd/etcdutl': etcd('etcd-client'),
  'grub/grub-mkimage': grub(),
  'grub/i386-pc/boot.img': grub(),
  'grub/i386-pc/kernel.img': grub(),
  'systemd-boot/stub.efi': bootProgram('debian-13', 'stub.efi'),
  'systemd-boot/systemd-boot.efi': bootProgram('debian-sid', 'systemd-boot.efi'),
};

function chrony(): Unpacked {
  const version = ['chrony/chronyd', '--version'];
  return { name: 'chrony', source: 'chrony', version };
}

function etcd(name: string): Unpacked {
  return { name, source: 'etcd', distribution: 'debian-13', version: ['etcd/etcd', '--version'] };
}

function grub(): Unpacked {
  const version = ['grub/grub-mkimage', '--version'];
  return { name: 'grub-pc-bin', source: 'grub2', version };
}

function bootProgram(distribution: string, file: string): Unpacked {
  const version = { file: `systemd-boot/${file}.version` };
  return { name: 'systemd-boot-efi', source: 'systemd', distribution, version };
}

/**
 * What a file of `.cache` is of; undefined for what was built of this checkout. A package whose description was not kept has its
 * upstream version, which is below that of every Debian revision: a scan may say too much of it, and never too little.
 *
 * @param path in the cache, as `etcd/etcd`.
 * @throws {BuildError} `ERR_BUILD_CONTENT` for a program that nobody has said anything of.
 */
export async function unpackedComponent(path: string, architecture: string): Promise<Component | undefined> {
  if (path.startsWith('native-init/')) return undefined;
  const about = known[path];
  if (about === undefined)
    throw new BuildError('ERR_BUILD_CONTENT', `.cache/${path} is of a package that nobody has named`);
  const { name, distribution = await distributionHere() } = about;
  const [directory = ''] = path.split('/');
  const described = readDpkgStatus(await textOf(join(directory, 'packages')));
  const kept = described.find((each) => each.name === name);
  if (kept !== undefined) return debianComponent({ ...kept, distribution });
  const version = await versionOf(about);
  const source = { name: about.source, version };
  return debianComponent({ name, version, architecture, source, distribution });
}

async function versionOf({ name, version }: Unpacked): Promise<string> {
  if ('file' in version) return (await readFile(join(cacheDirectory, version.file), 'utf8')).trim();
  const [program = '', ...words] = version;
  const { stdout } = await run(join(cacheDirectory, program), words);
  const found = /\d+(?:\.\d+)+(?:[-+~][\w.+~-]*)?/.exec(stdout)?.[0];
  if (found === undefined) throw new BuildError('ERR_BUILD_CONTENT', `${name} does not say its version`);
  return found;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(join(cacheDirectory, path), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}
