import { ArchiveError } from '../files/errors.ts';
import { Bytes } from './bytes.ts';

/** A file or directory of an archive. Names are bytes. */
export type TarEntry = {
  /** As the header has it: '0' file, '1' hard link, '2' symbolic link, '3' to '6' devices, directory and pipe. */
  readonly type: string;
  readonly path: Buffer;
  /** Of a link. */
  readonly target: Buffer;
  readonly size: number;
  /** Seconds since the Unix epoch. */
  readonly modified: number;
  /** To be read before the next entry is asked for; what is left is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
};

const block = 512;
/** Names and records in front of a header; nobody needs more. */
const mostExtraBytes = 1 << 20;

/**
 * The entries of a tar archive: ustar, names and links of any length as GNU tar has them, records of pax.
 *
 * @throws {ArchiveError} for what is no archive, or is cut off.
 */
export async function* tarEntries(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<TarEntry, void, undefined> {
  await using bytes = new Bytes(source);
  let extra: Extra = {};
  for (;;) {
    const header = await bytes.take(block);
    if (header.every((byte) => byte === 0)) return await bytes.drain();
    const type = checkedType(header);
    const size = numberOf(header, 124, 12);
    if ('LKxg'.includes(type)) {
      if (size > mostExtraBytes) throw new ArchiveError('the archive is damaged: a name without an end');
      const text = await bytes.take(size);
      await bytes.skip(paddingOf(size));
      extra = { ...extra, ...extraOf(type, text) };
      continue;
    }
    const length = extra.size ?? size;
    const content = bytes.part(length);
    yield {
      type: type === '\0' || type === '7' ? '0' : type,
      path: extra.path ?? pathOf(header),
      target: extra.target ?? textOf(header, 157, 100),
      size: length,
      modified: extra.modified ?? numberOf(header, 136, 12),
      content,
    };
    for await (const _rest of content); // what the reader has left
    await bytes.skip(paddingOf(length));
    extra = {};
  }
}

type Extra = {
  readonly path?: Buffer;
  readonly target?: Buffer;
  readonly size?: number;
  readonly modified?: number;
};

function extraOf(type: string, text: Buffer): Extra {
  if (type === 'L') return { path: untilNul(text) };
  if (type === 'K') return { target: untilNul(text) };
  if (type === 'g') return {}; // of the whole archive: nothing of it is needed
  const records = recordsOf(text);
  const number = (key: string): number | undefined => {
    const value = records.get(key);
    return value === undefined ? undefined : checkedNumber(Number(value.toString('latin1')));
  };
  const [path, target, size, modified] = [
    records.get('path'),
    records.get('linkpath'),
    number('size'),
    number('mtime'),
  ];
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)) throw damaged();
  return {
    ...(path !== undefined && { path }),
    ...(target !== undefined && { target }),
    ...(size !== undefined && { size }),
    ...(modified !== undefined && { modified }),
  };
}

/** `LENGTH KEY=VALUE\n`, where the length counts itself. */
function recordsOf(text: Buffer): ReadonlyMap<string, Buffer> {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(0x20, at);
    const length = space < 0 ? 0 : Number(text.toString('latin1', at, space));
    const equals = text.indexOf(0x3d, space);
    if (!Number.isSafeInteger(length) || length < 5 || equals < 0 || equals >= at + length) throw damaged();
    records.set(text.toString('latin1', space + 1, equals), text.subarray(equals + 1, at + length - 1));
    at += length;
  }
  return records;
}

/** @throws {ArchiveError} when the checksum, which counts its own field as spaces, is another. */
function checkedType(header: Buffer): string {
  let sum = 8 * 0x20;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  if (numberOf(header, 148, 8) !== sum) throw damaged();
  return String.fromCodePoint(header[156]!);
}

function numberOf(header: Buffer, offset: number, length: number): number {
  const text = textOf(header, offset, length).toString('latin1').trim();
  return checkedNumber(/^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : Number.NaN);
}

function checkedNumber(value: number): number {
  if (!Number.isFinite(value)) throw damaged();
  return value;
}

function pathOf(header: Buffer): Buffer {
  const name = textOf(header, 0, 100);
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? textOf(header, 345, 155) : Buffer.alloc(0);
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]);
}

function textOf(header: Buffer, offset: number, length: number): Buffer {
  return untilNul(header.subarray(offset, offset + length));
}

function untilNul(text: Buffer): Buffer {
  const end = text.indexOf(0);
  return end < 0 ? text : text.subarray(0, end);
}

function paddingOf(size: number): number {
  return (block - (size % block)) % block;
}

function damaged(): ArchiveError {
  return new ArchiveError('the archive is damaged: a header that makes no sense');
}
