import type { Architecture } from '@nodecore/schematic/release';

/** How machines of a platform start. */
export type Medium = 'disk' | 'iso' | 'pxe';

/** Where images run. One is a kernel argument and some consoles; everything else of its images is the same. */
export type Platform = {
  /** As `os.platform` says it. */
  readonly name: string;
  readonly architectures: readonly Architecture[];
  readonly starts: readonly Medium[];
  readonly hasSecureBoot: boolean;
  /** The end of the name of the disk image that it takes; undefined where nothing starts from one. */
  readonly diskImage?: string;
  /** Of that disk; by default what its content needs, as the node takes the rest of a larger disk anyway. */
  readonly diskSizeMiB?: number;
  /** Of a qcow2, where it must be another than 64 KiB. */
  readonly clusterSizeBytes?: number;
  /** Arguments for its consoles, the one that is read last; the kernel chooses when there are none. */
  readonly consoles?: Consoles;
};

type Consoles = Readonly<Partial<Record<Architecture, readonly string[]>>>;

const both = ['amd64', 'arm64'] as const;
const amd64 = ['amd64'] as const;

/** A screen and a serial line, which is another device on arm64. */
const serial = (screen: string): Consoles => ({
  amd64: [`console=${screen}`, 'console=ttyS0'],
  arm64: [`console=${screen}`, 'console=ttyAMA0'],
});

/** Every platform; one is one row. */
export const platforms: readonly Platform[] = [
  {
    name: 'metal',
    architectures: both,
    starts: ['iso', 'disk', 'pxe'],
    hasSecureBoot: true,
    diskImage: 'raw.zst',
  },
  {
    name: 'nocloud',
    architectures: both,
    starts: ['iso', 'disk', 'pxe'],
    hasSecureBoot: true,
    diskImage: 'raw.xz',
    consoles: serial('tty1'),
  },
  {
    name: 'aws',
    architectures: both,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'raw.xz',
    diskSizeMiB: 8192,
    consoles: { amd64: ['console=tty1', 'console=ttyS0'], arm64: ['console=tty1', 'console=ttyS0'] },
  },
  {
    name: 'gcp',
    architectures: both,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'raw.tar.gz',
    diskSizeMiB: 8192,
    consoles: { amd64: ['console=ttyS0'], arm64: ['console=ttyAMA0'] },
  },
  {
    name: 'azure',
    architectures: both,
    starts: ['disk'],
    hasSecureBoot: true,
    diskImage: 'vhd.xz',
    diskSizeMiB: 8192,
    consoles: {
      amd64: ['console=ttyS0,115200n8', 'earlyprintk=ttyS0,115200', 'rootdelay=300'],
      arm64: ['console=ttyAMA0,115200n8', 'rootdelay=300'],
    },
  },
  {
    name: 'openstack',
    architectures: both,
    starts: ['iso', 'disk', 'pxe'],
    hasSecureBoot: true,
    diskImage: 'raw.xz',
    consoles: serial('tty1'),
  },
  {
    name: 'opennebula',
    architectures: both,
    starts: ['iso', 'disk'],
    hasSecureBoot: true,
    diskImage: 'raw.zst',
    consoles: serial('tty0'),
  },
  {
    name: 'cloudstack',
    architectures: both,
    starts: ['disk'],
    hasSecureBoot: true,
    diskImage: 'raw.gz',
    diskSizeMiB: 8192,
    consoles: serial('tty1'),
  },
  {
    name: 'vmware',
    architectures: both,
    starts: ['iso', 'disk'],
    hasSecureBoot: true,
    diskImage: 'ova',
    diskSizeMiB: 8192,
    consoles: serial('tty0'),
  },
  {
    name: 'digital-ocean',
    architectures: amd64,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'raw.gz',
    diskSizeMiB: 8192,
    consoles: { amd64: ['console=ttyS0', 'console=tty0', 'console=tty1'] },
  },
  {
    name: 'akamai',
    architectures: amd64,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'raw.gz',
    consoles: serial('tty1'),
  },
  {
    name: 'hcloud',
    architectures: amd64,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'raw.xz',
    consoles: serial('tty1'),
  },
  {
    name: 'upcloud',
    architectures: amd64,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'raw.xz',
    diskSizeMiB: 8192,
    consoles: { amd64: ['console=tty0'] },
  },
  {
    name: 'scaleway',
    architectures: both,
    starts: ['iso', 'disk'],
    hasSecureBoot: false,
    diskImage: 'raw.zst',
    consoles: serial('tty1'),
  },
  {
    name: 'oracle',
    architectures: both,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'qcow2',
    diskSizeMiB: 8192,
    clusterSizeBytes: 8192,
    consoles: serial('tty1'),
  },
  {
    name: 'exoscale',
    architectures: both,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'qcow2',
    diskSizeMiB: 10_240,
    clusterSizeBytes: 8192,
    consoles: serial('tty1'),
  },
  {
    name: 'alibabacloud',
    architectures: both,
    starts: ['disk'],
    hasSecureBoot: false,
    diskImage: 'qcow2',
    clusterSizeBytes: 8192,
    consoles: serial('tty0'),
  },
  {
    name: 'vultr',
    architectures: amd64,
    starts: ['iso', 'pxe'],
    hasSecureBoot: false,
    consoles: { amd64: ['console=tty1'] },
  },
  {
    name: 'equinixMetal',
    architectures: both,
    starts: ['pxe'],
    hasSecureBoot: false,
    consoles: { amd64: ['console=ttyS1,115200n8'], arm64: ['console=ttyAMA0,115200'] },
  },
];

/** The platform of images whose names have none. */
export const metal: Platform = platformOf('metal') as Platform;

/** @returns undefined for a name that none has. */
export function platformOf(name: string): Platform | undefined {
  return platforms.find((platform) => platform.name === name);
}
