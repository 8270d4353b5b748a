/**
 * What the root of the node OS is made of, besides what is found by looking: nothing in it is there by chance, and the scan of
 * the finished tree refuses what was not meant.
 */

/** Programs of this machine, from Debian's packages. The name in the root, and where the file is when it has another name. */
export const programs: readonly string[] = [
  '/usr/sbin/mkfs.xfs',
  '/usr/sbin/xfs_repair',
  '/usr/sbin/xfs_growfs',
  '/usr/sbin/mke2fs',
  '/usr/sbin/e2fsck',
  '/usr/sbin/resize2fs',
  '/usr/sbin/mkfs.fat',
  '/usr/sbin/mkswap',
  '/usr/bin/setpriv',
  '/usr/bin/kmod',
];

/** Programs of other suites, which `scripts/setup` unpacked into `.cache`. */
export const unpackedPrograms: readonly string[] = [
  'etcd/etcd',
  'etcd/etcdutl',
  'dhcpcd/dhcpcd',
  'chrony/chronyd',
  'chrony/chronyc',
];

/** Names that lead to another file of the root. */
export const links: Readonly<Record<string, string>> = {
  '/bin': 'usr/bin',
  '/sbin': 'usr/sbin',
  '/lib': 'usr/lib',
  '/lib64': 'usr/lib64',
  '/usr/sbin/mkfs.ext4': 'mke2fs',
  '/usr/sbin/mkfs.vfat': 'mkfs.fat',
  '/usr/sbin/modprobe': '../bin/kmod',
  '/etc/mtab': '../proc/self/mounts',
  '/etc/os-release': '../usr/lib/os-release',
  '/etc/resolv.conf': '../run/nodeos/resolv.conf',
};

/** Libraries that are loaded by name: no file's own list names them. */
export const loadedLibraries: readonly string[] = [
  'libcrypto.so.3',
  'libcryptsetup.so.12',
  'libfdisk.so.1',
  'libpcap.so.0.8',
  'libtss2-esys.so.0',
  'libtss2-mu.so.0',
  'libtss2-rc.so.0',
  'libtss2-tctildr.so.0',
  'libtss2-tcti-device.so.0',
];

/** Files of this machine's packages that those read. */
export const dataFiles: readonly string[] = [
  '/etc/mke2fs.conf',
  '/usr/lib/x86_64-linux-gnu/ossl-modules/legacy.so',
];

/** Directories of this machine's packages that those read. */
export const dataDirectories: readonly string[] = ['/usr/share/xfsprogs/mkfs'];

/** Places for what is mounted, made, or laid over the root. */
export const directories: readonly string[] = [
  '/boot/efi',
  '/dev',
  '/etc',
  '/mnt',
  '/opt',
  '/proc',
  '/run',
  '/sys',
  '/system/state',
  '/tmp',
  '/usr/bin',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local',
  '/usr/sbin',
  '/usr/share/nodeos/installer-keys',
  '/var',
];

/** Texts of the root that are the same in every release. */
export const texts: Readonly<Record<string, string>> = {
  '/etc/dhcpcd.conf': '',
  // The numbers of chronyd are the agent's, too (`time/feature.ts`).
  '/etc/group': 'root:x:0:\n_chrony:x:101:\n',
  '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  '/etc/passwd': 'root:x:0:0:root:/:/nonexistent\n_chrony:x:101:101::/nonexistent:/nonexistent\n',
};

/**
 * In the first filesystem, in this order with what they need: where a boot that fails leaves its reason, and what the root is read
 * through.
 */
export const earlyModules: readonly string[] = ['efi_pstore', 'loop', 'squashfs', 'overlay'];

/** Loaded at every boot: what no device asks for, or only one that comes later. */
export const bootModules: readonly string[] = ['button', 'dm_mod', 'evdev', 'sd_mod', 'usb_storage', 'uas'];

/** In the root for machines of QEMU and their likes: loaded when a device, a mount or a mapping asks for them. */
export const machineModules: readonly string[] = `
  virtio_pci virtio_blk virtio_net virtio_scsi virtio_rng virtio_console virtio_balloon
  ahci ata_piix nvme sr_mod isofs megaraid_sas sdhci_pci mmc_block
  xhci_pci ehci_pci usbhid hid_generic atkbd
  e1000 e1000e 8139cp 8139too
  dm_crypt dm_integrity dm_verity dm_snapshot dm_thin_pool dm_log_writes
  xfs ext4 vfat nls_ascii nls_cp437 nls_iso8859_1 nls_utf8 efivarfs fuse
  aesni_intel xts cbc essiv adiantum algif_hash algif_skcipher crc32c_intel
  sha256_ssse3 sha512_ssse3 crct10dif_pclmul crc32_pclmul ghash_clmulni_intel
  i6300esb iTCO_wdt pvpanic_pci pvpanic_mmio veth tun zram
`
  .trim()
  .split(/\s+/);
