import { type FileExtent, View } from '@nodecore/view';

import { type Compression, frame } from './frame.ts';

/** What is compressed at once: bounds the memory of one frame that is made. */
const frameSizeBytes = 1 << 20;
/** From here on a range of a file has frames of its own, which are made once for all images that it is in. */
const smallestInputBytes = 256 * 1024;
/** Frames of zeros: the rest of a hole goes into a smaller one. */
const zeroSizes = [16 << 20, frameSizeBytes] as const;
/** How many frames are made at the same time. */
const frameCount = 4;

/** Frames that were made, or a large range of a file whose frames ({@link framesOf}) belong in its place. */
export type CompressedPart = Uint8Array | FileExtent;

/**
 * A view as frames one behind the other. Large ranges of files are left to who keeps their frames; for holes there are frames of zeros,
 * the same one again and again; all between them is compressed here. So nothing large is read, and the parts of a disk of any size are
 * some 100 KiB.
 */
export async function compressedParts(
  view: View,
  compression: Compression,
  signal?: AbortSignal,
): Promise<readonly CompressedPart[]> {
  const parts: CompressedPart[] = [];
  for (const part of partsOf(view)) {
    signal?.throwIfAborted();
    if (part.kind === 'input') parts.push(part.range);
    else if (part.kind === 'zeros')
      for (const size of cut(part.size)) parts.push(await zeros(size, compression));
    else for await (const each of framesOf(part.view, compression, signal)) parts.push(each);
  }
  return parts.length > 0 ? parts : [await frame(new Uint8Array(), compression)];
}

/** The frames of a view in their order, some of which are made ahead; at most 4 MiB of it are in memory. */
export async function* framesOf(
  view: View,
  compression: Compression,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const made: Promise<Buffer>[] = [];
  let start = 0;
  try {
    while (start < view.size || made.length > 0) {
      for (; made.length < frameCount && start < view.size; start += frameSizeBytes) {
        const range = view.slice(start, Math.min(start + frameSizeBytes, view.size));
        const frameOf = range.bytes().then((bytes) => frame(bytes, compression));
        frameOf.catch(() => {}); // it is looked at in its turn
        made.push(frameOf);
      }
      const [next] = made;
      if (next !== undefined) yield await next;
      void made.shift();
      signal?.throwIfAborted();
    }
  } finally {
    await Promise.allSettled(made); // a pool thread that reads our bytes has let go of them
  }
}

type Part =
  | { readonly kind: 'input'; readonly range: FileExtent }
  | { readonly kind: 'zeros'; readonly size: number }
  | { readonly kind: 'made'; readonly view: View };

function partsOf(view: View): readonly Part[] {
  const parts: Part[] = [];
  for (const extent of view.extents) {
    const last = parts.at(-1);
    if (extent.kind === 'file' && extent.size >= smallestInputBytes)
      parts.push({ kind: 'input', range: extent });
    else if (extent.kind === 'hole' && extent.size >= frameSizeBytes)
      parts.push({ kind: 'zeros', size: extent.size });
    else if (last?.kind === 'made')
      parts[parts.length - 1] = { kind: 'made', view: View.of(last.view, extent) };
    else parts.push({ kind: 'made', view: View.of(extent) });
  }
  return parts;
}

function* cut(size: number): Generator<number> {
  let left = size;
  for (const unit of zeroSizes) for (; left >= unit; left -= unit) yield unit;
  if (left > 0) yield left;
}

const zeroFrames = new Map<string, Promise<Buffer>>();

/** Those of the usual sizes are made once. */
async function zeros(size: number, compression: Compression): Promise<Buffer> {
  const key = `${size} ${compression}`;
  const isUsual = zeroSizes.some((usual) => usual === size);
  const found = zeroFrames.get(key) ?? frame(new Uint8Array(size), compression);
  if (isUsual) zeroFrames.set(key, found);
  found.catch(() => zeroFrames.delete(key));
  return await found;
}
