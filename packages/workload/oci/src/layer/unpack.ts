import type { Stats } from 'node:fs';
import {
  chmod,
  chown,
  lchown,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';

import { codeOf } from '@nodecore/sys';
import { extract, type Header } from 'tar-stream';

import { OciError } from '../errors.ts';
import { broken } from './read.ts';
import { zstdFrames } from './zstd-frames.ts';

/** Of a file that takes away what lower layers have, and of one that takes away all of it in its directory. */
const whiteout = '.wh.';
const opaque = '.wh..wh..opq';
/** As the kernel. */
const mostLinks = 40;

/**
 * Unpacks a layer upon those below it, as its owner: files, directories and links with their owners, modes and times. What lower layers
 * have and this one takes away is gone then. Nothing is written outside of the directory, wherever links of this or lower layers lead: they
 * are followed as if the directory were the root. Devices, sockets, pipes and extended attributes stay behind.
 *
 * The directory must be nobody else's meanwhile. With an error it is half unpacked.
 *
 * @param mediaType `…tar`, `…tar+gzip` or `…tar+zstd`
 * @throws {OciError} with `ERR_OCI_LAYER` for a path or a link that leaves the layer, another compression, and an archive that is broken
 *   or cut off.
 */
export async function unpackLayer(
  layer: AsyncIterable<Uint8Array>,
  mediaType: string,
  directory: string,
): Promise<void> {
  const source = Readable.from(mediaType.endsWith('+zstd') ? zstdFrames(layer) : layer, {
    objectMode: false,
  });
  const archive = extract();
  const decoder = decoderOf(mediaType);
  const plain = decoder === undefined ? source : source.pipe(decoder);
  source.on('error', (error) => (decoder ?? archive).destroy(error));
  decoder?.on('error', (error) => archive.destroy(error));
  plain.pipe(archive);
  const times: (readonly [path: string, time: Date])[] = [];
  const added = new Set<string>(); // with all directories on the way to it
  try {
    for await (const entry of archive) {
      const path = await placeOf(directory, entry.header.name);
      if (path === directory) await setDirectory(path, entry.header);
      else if (!(await takesAway(path, added))) {
        await makeEntry(directory, path, entry.header, entry as AsyncIterable<Uint8Array>);
        for (let at = path; at !== directory && !added.has(at); at = dirname(at)) added.add(at);
      }
      if (entry.header.type === 'directory') times.push([path, entry.header.mtime]);
      entry.resume();
    }
    // Making what is in a directory changes its time.
    const root = await realpath(directory);
    for (const [path, time] of times.toReversed())
      if (await isStillAt(join(root, relative(directory, path)))) await utimes(path, time, time);
  } catch (error) {
    throw broken(error);
  } finally {
    source.destroy();
    decoder?.destroy();
    archive.destroy();
  }
}

function decoderOf(mediaType: string): Gunzip | ZstdDecompress | undefined {
  if (/[.+]gzip$/.test(mediaType)) return createGunzip();
  if (mediaType.endsWith('+zstd')) return createZstdDecompress();
  if (mediaType.endsWith('tar')) return undefined;
  throw new OciError('ERR_OCI_LAYER', `${mediaType} is no layer of files`);
}

/** Where an entry goes: links on the way to it are followed inside of the directory, the last name is not. */
async function placeOf(directory: string, name: string): Promise<string> {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new OciError('ERR_OCI_LAYER', `${name}: leaves the layer`);
  const last = parts.pop();
  return last === undefined ? directory : join(await follow(directory, parts), last);
}

async function follow(directory: string, parts: readonly string[]): Promise<string> {
  const left = [...parts];
  let links = 0;
  let at = directory;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at = at === directory ? at : dirname(at);
      continue;
    }
    const path = join(at, part);
    const found = await unlessMissing(path);
    if (found?.isSymbolicLink() !== true) {
      at = path;
      continue;
    }
    links += 1;
    if (links > mostLinks)
      throw new OciError('ERR_OCI_LAYER', `${relative(directory, path)}: links lead in a circle`);
    const target = await readlink(path);
    if (target.startsWith('/')) at = directory;
    left.unshift(...target.split('/'));
  }
  return at;
}

/** @returns whether it was a whiteout. */
async function takesAway(path: string, added: ReadonlySet<string>): Promise<boolean> {
  const [parent, name] = [dirname(path), path.slice(path.lastIndexOf(sep) + 1)];
  if (!name.startsWith(whiteout)) return false;
  if (name === opaque) {
    await clear(parent, added);
    return true;
  }
  const gone = name.slice(whiteout.length);
  if (['', '.', '..'].includes(gone)) throw new OciError('ERR_OCI_LAYER', `${name}: takes away no file`);
  const target = join(parent, gone);
  if (added.has(target)) await clear(target, added);
  else await rm(target, { recursive: true, force: true });
  return true;
}

/** Takes away all that lower layers have in a directory; what this one has there stays, whichever came first. */
async function clear(directory: string, added: ReadonlySet<string>): Promise<void> {
  if (!(await isDirectory(directory))) return;
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (added.has(path)) await clear(path, added);
    else await rm(path, { recursive: true, force: true });
  }
}

async function makeEntry(
  directory: string,
  path: string,
  header: Header,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { type } = header;
  await makeParents(directory, dirname(path));
  const there = await unlessMissing(path);
  if (type === 'directory') {
    if (there?.isDirectory() !== true) {
      await rm(path, { force: true });
      await mkdir(path);
    }
    return await setDirectory(path, header);
  }
  if (type !== 'file' && type !== 'contiguous-file' && type !== 'link' && type !== 'symlink') return;
  await rm(path, { recursive: true, force: true });
  if (type === 'symlink') {
    await symlink(header.linkname ?? '', path);
    return await lchown(path, header.uid, header.gid);
  }
  if (type === 'link') return await link(await placeOf(directory, header.linkname ?? ''), path);
  await using file = await open(path, 'wx', 0o600);
  for await (const chunk of content) await file.writeFile(chunk);
  await file.chown(header.uid, header.gid);
  await file.chmod(header.mode & 0o7777); // behind the owner, whose change takes set-uid away
  const time = header.mtime;
  await file.utimes(time, time);
}

async function setDirectory(path: string, { uid, gid, mode }: Header): Promise<void> {
  await chown(path, uid, gid);
  await chmod(path, mode & 0o7777);
}

/** Some archives have files without their directories. What is in the way is a lower layer's, and goes. */
async function makeParents(directory: string, path: string): Promise<void> {
  if (path === directory || (await isDirectory(path))) return;
  await makeParents(directory, dirname(path));
  await rm(path, { force: true });
  await mkdir(path, { mode: 0o755 });
}

async function isDirectory(path: string): Promise<boolean> {
  return (await unlessMissing(path))?.isDirectory() === true;
}

/** Whether a directory is there, and no link of a later entry has come into the way to it. */
async function isStillAt(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real === path && (await isDirectory(path));
}

async function unlessMissing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
