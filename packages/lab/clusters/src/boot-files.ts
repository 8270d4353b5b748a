import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { makeDirectory, writeFileAtomic } from '@nodecore/sys';

import { type BootImage, isInstaller } from './boot-image.ts';
import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import { lockBoot } from './lock.ts';
import { isUrl, shownUrl } from './url-flag.ts';
import { copyImage } from './disk-copy.ts';

/** The CD or USB stick of all machines, in the directory of what they start from. */
export const mediumName = 'medium.iso';
/** The unified kernel image of all machines that comes from a URL, there. */
export const ukiName = 'uki.efi';
/** What iPXE is told to do, there. It is the last that is written. */
export const scriptName = 'boot.ipxe';

/**
 * Whether machines start from a copy of the cluster's own: what comes from elsewhere, or lies in a cache under its digest, may be gone at
 * the next start. Any other file is the caller's, who builds it again, and has that started.
 */
export function isKept(source: string): boolean {
  return isUrl(source) || /\/[\da-f]{64}$/.test(source);
}

/**
 * Keeps in the directory of a cluster what its machines start from at every start, so that they start also when the factory is
 * gone. Nothing that is there is made again, also when it came there meanwhile.
 *
 * @param fetch gives a file of this computer for a URL.
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE`
 */
export async function keepBootFiles(
  image: BootImage,
  directory: ClusterDirectory,
  fetch: (url: string) => Promise<string>,
): Promise<void> {
  if ('kernel' in image)
    for (const name of ['kernel', 'initrd'] as const)
      if (isKept(image[name])) await keepIn(directory, image[name], name, fetch);
  if ('uki' in image && isKept(image.uki)) await keepIn(directory, image.uki, ukiName, fetch);
  if (!isInstaller(image)) return;
  const medium = 'iso' in image ? image.iso : 'usb' in image ? image.usb : undefined;
  if (medium !== undefined) return await keepIn(directory, medium, mediumName, fetch);
  if (!('pxe' in image)) return;
  const script = join(directory.boot, scriptName);
  if (await isThere(script)) return;
  const text = await readFile(await fetch(image.pxe), 'utf8');
  const here = localScript(text, image.pxe);
  for (const [name, url] of here.files) await keepIn(directory, url, name, fetch);
  await writeFileAtomic(script, here.script);
}

/**
 * A factory's script for iPXE as one whose files lie beside it, and where these are now: at the origin of the script, whatever it
 * calls itself to machines.
 *
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE` for what is no such script.
 */
export function localScript(
  text: string,
  from: string,
): { readonly script: string; readonly files: ReadonlyMap<string, string> } {
  const files = new Map<string, string>();
  const lines = text.split('\n').map((line) => {
    const [word = '', url = '', ...rest] = line.split(' ');
    if (word !== 'kernel' && word !== 'initrd') return line;
    const there = URL.canParse(url) ? new URL(url) : undefined;
    const name = there?.pathname.split('/').at(-1) ?? '';
    if (there === undefined || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) || name === scriptName)
      throw new ClusterError(
        'ERR_CLUSTER_IMAGE',
        `${shownUrl(from)}: ${word} ${JSON.stringify(shownUrl(url))} names no file`,
      );
    files.set(name, new URL(there.pathname, from).href);
    return [word, name, ...rest].join(' ');
  });
  if (lines[0] === '#!ipxe' && files.size > 0) return { script: lines.join('\n'), files };
  throw new ClusterError('ERR_CLUSTER_IMAGE', `${shownUrl(from)} is no script for iPXE that loads something`);
}

async function keepIn(
  directory: ClusterDirectory,
  source: string,
  name: string,
  fetch: (url: string) => Promise<string>,
): Promise<void> {
  const path = join(directory.boot, name);
  if (await isThere(path)) return;
  const from = isUrl(source) ? await fetch(source) : source; // it may take minutes: nobody waits for it
  await makeDirectory(directory.boot);
  await using _lock = await lockBoot(directory);
  // What the kernel was brought up to date with meanwhile stays: it came with a first filesystem.
  if (!(await isThere(path))) await copyImage(from, path);
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
