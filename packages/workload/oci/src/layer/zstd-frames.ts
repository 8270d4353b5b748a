import { OciError } from '../errors.ts';

/** RFC 8878, 3.1.1 and 3.1.2: how a frame begins, and one that holds nothing for who unpacks it. */
const frameMark = 0xfd2fb528;
const skippedMark = 0x184d2a50;
const skippedMask = 0xfffffff0;
/** Bytes of a frame's header by two bits of its descriptor. */
const dictionaryBytes = [0, 1, 2, 4] as const;
const contentSizeBytes = [0, 2, 4, 8] as const;
const singleSegment = 0x20;
const checksum = 0x04;
/** A block whose content is one byte, repeated. */
const repeated = 1;

/** What comes next: bytes to look at, bytes to pass by, or the end of a frame. */
type Next = { readonly look: number } | { readonly pass: number } | 'end';

/**
 * The same bytes, cut where a frame of zstd ends: Node's reader drops what stands behind a frame in one chunk, and says nothing. A last frame
 * that is cut off is the reader's error.
 *
 * @throws {OciError} with `ERR_OCI_LAYER` for bytes that are no frame.
 */
export async function* zstdFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const walk = frames();
  let next = walk.next().value;
  let seen = Buffer.alloc(0);
  let passed = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let at = 0; ;) {
      if (next === 'end') {
        if (at > from) yield chunk.subarray(from, at);
        from = at;
        next = walk.next(seen).value;
      } else if ('look' in next) {
        const bytes = chunk.subarray(at, at + next.look - seen.length);
        seen = Buffer.concat([seen, bytes]);
        at += bytes.length;
        if (seen.length < next.look) break;
        next = walk.next(seen).value;
        seen = Buffer.alloc(0);
      } else {
        const bytes = Math.min(next.pass - passed, chunk.length - at);
        passed += bytes;
        at += bytes;
        if (passed < next.pass) break;
        passed = 0;
        next = walk.next(seen).value;
      }
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }
}

/** Goes from frame to frame by their headers and those of their blocks; what it is given is what it has asked to look at. */
function* frames(): Generator<Next, never, Buffer> {
  for (;;) {
    const mark = (yield { look: 4 }).readUInt32LE();
    if ((mark & skippedMask) >>> 0 === skippedMark) yield { pass: (yield { look: 4 }).readUInt32LE() };
    else if (mark === frameMark) yield* frame();
    else throw new OciError('ERR_OCI_LAYER', 'it has bytes that zstd has not packed');
    yield 'end';
  }
}

function* frame(): Generator<Next, void, Buffer> {
  const descriptor = (yield { look: 1 }).readUInt8();
  const isSingle = (descriptor & singleSegment) !== 0;
  const size = descriptor >>> 6;
  const dictionary = dictionaryBytes[(descriptor & 3) as 0 | 1 | 2 | 3];
  const contentSize = size === 0 && isSingle ? 1 : contentSizeBytes[size as 0 | 1 | 2 | 3];
  yield { pass: (isSingle ? 0 : 1) + dictionary + contentSize };
  for (let isLast = false; !isLast;) {
    const header = (yield { look: 3 }).readUIntLE(0, 3);
    isLast = (header & 1) === 1;
    yield { pass: ((header >>> 1) & 3) === repeated ? 1 : header >>> 3 };
  }
  yield { pass: (descriptor & checksum) === 0 ? 0 : 4 };
}
