import { commandLine } from '@nodecore/image';

import { type BootImage, diskImage, isInstaller } from './boot-image.ts';
import { closInjection } from './clos-flags.ts';
import { linkInjection } from './fleet-flags.ts';
import { type InjectionMethod, injectionMethods, injectionProblem } from './injection-method.ts';
import type { ClusterRequest } from './request.ts';
import { checkUrl, readSource } from './url-flag.ts';

/** The flags of what a developer's machines start from, and of how they come to their configuration, as they were typed. */
export type DevImageFlags = {
  readonly vmlinuzPath: string;
  readonly initrdPath: string;
  readonly diskImagePath?: string;
  /** Before a stick, that before a UKI, and all before the kernel. */
  readonly isoPath?: string;
  readonly usbPath?: string;
  readonly ukiPath?: string;
  /** URL of a script, in place of all of them. */
  readonly ipxeBootScript?: string;
  readonly extraBootKernelArgs?: string;
  readonly withUefi: boolean;
  readonly withBgpClos: boolean;
  /** A URL with a join token. */
  readonly fleetApiEndpoint?: string;
  readonly skipInjectingConfig: boolean;
  readonly withApplyConfig: boolean;
  /** Empty and `default`: by HTTP where the machine can be told where, else over its API. */
  readonly configInjectionMethod: string;
  /** Firmware tells the machine no words for its kernel. */
  readonly skipInjectingExtraCmdline: boolean;
};

/** What machines start from, and how they come to their configuration; what is wrong with it goes to `problems`. */
export function readDevImage(
  flags: DevImageFlags,
  problems: string[],
): Pick<ClusterRequest, 'image' | 'injection' | 'noStubArguments' | 'moreArguments'> {
  const image = imageOf(flags, problems);
  if (!flags.withUefi && (isInstaller(image) || 'uki' in image))
    problems.push('--with-uefi=false: a BIOS starts a kernel or a disk, and nothing else');
  const injection = readInjection(flags, image, problems);
  const more = 'kernel' in image ? [] : readArguments(flags, image, problems);
  return {
    image,
    ...(more.length > 0 && { moreArguments: more }),
    ...(injection && { injection }),
    ...(flags.skipInjectingExtraCmdline && { noStubArguments: true as const }),
  };
}

/** `-name` among the arguments takes that one away. */
function imageOf(flags: DevImageFlags, problems: string[]): BootImage {
  const { ipxeBootScript: pxe, isoPath: iso, usbPath: usb, ukiPath: uki, diskImagePath: disk } = flags;
  if (pxe !== undefined) {
    checkUrl('--ipxe-boot-script', pxe, problems);
    return { pxe };
  }
  if (iso !== undefined) return { iso: readSource('--iso-path', iso, problems) };
  if (usb !== undefined) return { usb: readSource('--usb-path', usb, problems) };
  if (uki !== undefined) return { uki: readSource('--uki-path', uki, problems) };
  if (disk !== undefined) return diskImage(readSource('--disk-image-path', disk, problems));
  const words = wordsOf(flags);
  const gone = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const added = ['console=ttyS0', ...words.filter((word) => !word.startsWith('-'))];
  const whole = commandLine({ platform: 'metal', extraArguments: added }).split(' ');
  const kept = whole.filter((word) => !gone.includes(word) && !gone.includes(word.split('=')[0] ?? ''));
  return {
    kernel: readSource('--vmlinuz-path', flags.vmlinuzPath, problems),
    initrd: readSource('--initrd-path', flags.initrdPath, problems),
    arguments: kept.join(' '),
  };
}

function wordsOf({ extraBootKernelArgs = '' }: DevImageFlags): readonly string[] {
  return extraBootKernelArgs.split(/\s+/).filter((word) => word !== '');
}

/** Of an image that has a command line of its own; what it is not told of goes to `problems`. */
function readArguments(flags: DevImageFlags, image: BootImage, problems: string[]): readonly string[] {
  const words = wordsOf(flags);
  const flag = '--extra-boot-kernel-args';
  if (words.length === 0) return [];
  if ('pxe' in image) problems.push(`${flag}: iPXE’s script has the kernel’s arguments`);
  else if (!flags.withUefi)
    problems.push(`${flag}: without UEFI only a kernel of this computer is told of them`);
  else if (flags.skipInjectingExtraCmdline)
    problems.push(
      `${flag}: not with --skip-injecting-extra-cmdline, by which the firmware tells nobody of them`,
    );
  for (const word of words)
    if (word.startsWith('-'))
      problems.push(`${flag} ${word}: an image keeps what is in its own command line`);
  return words;
}

function readInjection(
  { configInjectionMethod: text, withUefi: uefi, ...flags }: DevImageFlags,
  image: BootImage,
  problems: string[],
): InjectionMethod | undefined {
  const isUsual = text === '' || text === 'default';
  // Whoever has no other way to it, or takes nothing over its API.
  const [usual, whose]: readonly [InjectionMethod?, string?] = flags.withBgpClos
    ? [closInjection, '--with-bgp-clos']
    : flags.fleetApiEndpoint === undefined
      ? []
      : [linkInjection, '--fleet-api-endpoint'];
  const flag = isUsual && whose !== undefined ? whose : `--config-injection-method ${text}`;
  if (flags.skipInjectingConfig || flags.withApplyConfig) {
    if (text !== '')
      problems.push('--config-injection-method: not with --skip-injecting-config or --with-apply-config');
    return undefined;
  }
  const isTold = !flags.skipInjectingExtraCmdline || 'kernel' in image;
  if (isUsual && usual === undefined)
    return isTold && injectionProblem('http', { image, uefi }) === undefined ? 'http' : undefined;
  const method = isUsual ? usual : injectionMethods.find((each) => each === text);
  if (method === undefined) problems.push(`${flag}: none of default, ${injectionMethods.join(', ')}`);
  const why = injectionProblem(method, { image, uefi });
  if (why !== undefined) problems.push(`${flag}: ${why}`);
  // A medium is there all the same, for an image whose own arguments name it.
  if (method === 'http' && !isTold)
    problems.push(
      `${flag}: not with --skip-injecting-extra-cmdline, by which the firmware tells nobody the URL`,
    );
  return method;
}
