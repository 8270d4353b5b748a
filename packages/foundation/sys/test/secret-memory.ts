/** Wipes a secret, and prints how many copies of it are left in this process's memory. */
import { openSync, readFileSync, readSync } from 'node:fs';

import { Secret } from '../src/index.ts';

const kept = process.argv[2] === 'kept';
const size = Number(process.argv[3]);

const secret = Secret.random(size);
using clone = secret.clone();
void clone.bytes.buffer; // as every call into C does
/** The bytes, each turned round: what is looked for must not be in memory because it is looked for. */
const inverted = Uint8Array.from({ length: size }, (_, at) => (secret.bytes[at] ?? 0) ^ 0xff);
if (!kept) secret[Symbol.dispose]();
clone[Symbol.dispose]();

console.log(copies());

function copies(): number {
  const memory = openSync('/proc/self/mem', 'r');
  const chunk = Buffer.from(new ArrayBuffer(1 << 20));
  let found = 0;
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const match = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line);
    if (match === null) continue;
    const end = Number.parseInt(match[2] ?? '', 16);
    for (let at = Number.parseInt(match[1] ?? '', 16); at < end; at += chunk.length - size) {
      let bytes: number;
      try {
        bytes = readSync(memory, chunk, 0, Math.min(chunk.length, end - at), at);
      } catch {
        break; // guard pages
      }
      found += occurrences(chunk, bytes);
    }
  }
  return found;
}

function occurrences(chunk: Uint8Array, bytes: number): number {
  const first = (inverted[0] ?? 0) ^ 0xff;
  let found = 0;
  for (let at = chunk.indexOf(first); at !== -1 && at + size <= bytes; at = chunk.indexOf(first, at + 1)) {
    let same = 1;
    while (same < size && chunk[at + same] === ((inverted[same] ?? 0) ^ 0xff)) same += 1;
    if (same === size) found += 1;
  }
  return found;
}
