import type { Reader } from '../reader.ts';

/** RFC 1035, section 2.3.4 */
const longestName = 255;

/**
 * A name, with compression (RFC 1035, section 4.1.4). A pointer must lead back, before the place it was read from: so
 * no chain of them is endless. Labels are escaped as in zone files (`\.`, `\027`). Undefined when it is damaged or cut.
 *
 * @param start where the message begins, which pointers count from.
 */
export function readDnsName(bytes: Reader, start: number): string | undefined {
  const data = bytes.bytes;
  let name = '';
  let total = 0;
  let at = bytes.at;
  let limit = bytes.at;
  let jumped = false;
  for (;;) {
    if (!jumped && !bytes.need(1)) return undefined;
    // After a jump everything lies behind us; only a label that runs into the end can still be cut.
    if (at >= bytes.end) return cut(bytes);
    const size = data[at]!;
    if (size === 0) {
      if (!jumped) bytes.at = at + 1;
      return name === '' ? '.' : name;
    }
    if (size >= 0xc0) {
      if (at + 1 >= bytes.end) return cut(bytes);
      const target = start + (((size & 0x3f) << 8) | data[at + 1]!);
      if (!jumped) bytes.at = at + 2;
      if (target >= limit) return stop(bytes, 'a name that points to itself or ahead');
      jumped = true;
      limit = target;
      at = target;
      continue;
    }
    if (size > 63) return stop(bytes, `label type ${size >> 6}`);
    total += size + 1;
    if (total > longestName) return stop(bytes, 'a name of more than 255 bytes');
    if (at + 1 + size > bytes.end) return cut(bytes, size + 1);
    name += `${labelText(data, at + 1, size)}.`;
    at += size + 1;
    if (!jumped) bytes.at = at;
  }
}

function stop(bytes: Reader, what: string): undefined {
  bytes.damage(what);
  return undefined;
}

/** The bytes end within the name. */
function cut(bytes: Reader, size: number = 2): undefined {
  bytes.at = Math.min(bytes.at, bytes.end);
  bytes.need(Math.max(size, bytes.left + 1));
  return undefined;
}

function labelText(data: Uint8Array, at: number, size: number): string {
  let text = '';
  for (let index = at; index < at + size; index += 1) {
    const byte = data[index]!;
    if (byte === 0x2e || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`;
    else if (byte > 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += `\\${String(byte).padStart(3, '0')}`;
  }
  return text;
}
