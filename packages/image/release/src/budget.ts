import type { Release } from '@nodecore/schematic/release';

import { BuildError } from './errors.ts';

const mebibyte = 1024 * 1024;

/** How large each file of a release may be: what grows does so on purpose. An image is all of them together. */
export const budget: Readonly<Record<string, number>> = {
  'amd64.spdx.json': mebibyte,
  'base.sqsh': 230 * mebibyte,
  'grub-boot.img': 512,
  'grub-core.img': mebibyte / 4,
  'initramfs.cpio': 4 * mebibyte,
  kernel: 14 * mebibyte,
  'modules.json': 2 * mebibyte,
  'osctl-linux-amd64': 5 * mebibyte,
  'osctl-linux-arm64': 5 * mebibyte,
  'stub.efi': mebibyte,
  'systemd-boot.efi': mebibyte,
  'vex.json': mebibyte,
};

/** Of each extension: all layers of an image are in the memory of its node. */
const extensionBudget = 256 * mebibyte;

/** @throws {BuildError} `ERR_BUILD_SIZE` with every file that is larger than it may be. */
export function assertWithinBudget(release: Release): void {
  const over = Object.entries(release.files).flatMap(([path, { size }]) => {
    const isExtension = /^[^/]+\/extensions\//u.test(path);
    const max = isExtension ? extensionBudget : budget[path.split('/').at(-1) ?? path];
    return max !== undefined && size <= max
      ? []
      : [`${path} has ${size} bytes, at most ${max ?? 0} are allowed`];
  });
  if (over.length > 0) throw new BuildError('ERR_BUILD_SIZE', over.join('; '));
}
