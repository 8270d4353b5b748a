import { BuildError } from '../errors.ts';
import type { Recipe } from './recipe.ts';

/** Extensions that a release can have of packages of Debian, by the names that schematics use. */
export const recipes: Readonly<Record<string, Recipe>> = {
  // What a volume of btrfs needs, and no image has otherwise (`missingForFilesystem` of the volumes).
  'os/btrfs': {
    description: 'the filesystem btrfs, and its programs',
    packages: ['btrfs-progs', 'liblzo2-2', 'zlib1g'],
    programs: ['/usr/sbin/mkfs.btrfs', '/usr/bin/btrfs', '/usr/bin/btrfstune', '/usr/bin/btrfs-image'],
    libraries: ['liblzo2.so.2', 'libz.so.1'],
    modules: ['btrfs'],
  },
  // The kernel has version 8.4 of it: drbdsetup and drbdadm leave its devices to their former selves, which they find by the path.
  // Handlers are shell scripts, and stay behind: who runs it in a container brings its own.
  'os/drbd': {
    description: 'block devices that are mirrored to other machines (DRBD 8.4), and their programs',
    packages: ['drbd-utils'],
    programs: [
      '/usr/sbin/drbdadm',
      '/usr/sbin/drbdmeta',
      '/usr/sbin/drbdsetup',
      '/usr/lib/drbd/drbdadm-84',
      '/usr/lib/drbd/drbdsetup-84',
    ],
    libraries: [],
    modules: ['drbd'],
  },
  'os/tools': {
    description: 'conntrack, dmidecode, ethtool, iperf3, lsscsi, nvme and smartctl',
    packages: [
      'conntrack',
      'dmidecode',
      'ethtool',
      'iperf3',
      'libiperf0',
      'libmnl0',
      'libnetfilter-conntrack3',
      'libnfnetlink0',
      'libnvme1',
      'libsctp1',
      'lsscsi',
      'nvme-cli',
      'smartmontools',
      'zlib1g',
    ],
    programs: [
      '/usr/sbin/conntrack',
      '/usr/sbin/dmidecode',
      '/usr/sbin/ethtool',
      '/usr/bin/iperf3',
      '/usr/bin/lsscsi',
      '/usr/sbin/nvme',
      '/usr/sbin/smartctl',
    ],
    libraries: [
      'libiperf.so.0',
      'libmnl.so.0',
      'libnetfilter_conntrack.so.3',
      'libnfnetlink.so.0',
      'libnvme-mi.so.1',
      'libnvme.so.1',
      'libsctp.so.1',
      'libz.so.1',
    ],
    modules: [],
  },
};

/** @throws {BuildError} `ERR_BUILD_MISSING` for a name that no recipe has, with those that there are. */
export function recipeOf(name: string): Recipe {
  const recipe = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  if (recipe !== undefined) return recipe;
  const names = Object.keys(recipes).join(', ');
  throw new BuildError('ERR_BUILD_MISSING', `no recipe for ${name}; there are ${names}`);
}
