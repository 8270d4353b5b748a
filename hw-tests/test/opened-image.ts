import { createDecipheriv } from 'node:crypto';
import { constants, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as luks from '@nodecore/luks';
import { output } from '@nodecore/testkit';

const chunkBytes = 1 << 20;

/**
 * A LUKS2 partition in a file, opened without device-mapper and without our library: cryptsetup says the volume key, each time
 * anew, and AES-XTS is computed here, with a sector's number as its IV. The partition becomes one state after another; what
 * is as it was under the same key is neither written nor computed again.
 */
export class LockedPartition {
  /** The partition as it is. */
  readonly path: string;
  /** What it holds; anything may be done to it. */
  readonly plain: string;
  #bytes: Buffer = Buffer.alloc(0);
  #key: Buffer = Buffer.alloc(0);
  #cipher: Buffer = Buffer.alloc(0);
  #clear: Buffer = Buffer.alloc(0);

  constructor(directory: string) {
    this.path = join(directory, 'part');
    this.plain = join(directory, 'plain');
  }

  /** @param bytes all of it, which the caller leaves alone from now on. */
  async become(bytes: Buffer): Promise<void> {
    await using file = await open(this.path, constants.O_CREAT | constants.O_RDWR);
    await file.truncate(bytes.length);
    for (const { at, end } of changed(bytes, this.#bytes, { at: 0, end: bytes.length, step: chunkBytes }))
      await file.write(bytes, at, end - at, at);
    this.#bytes = bytes;
  }

  /** Writes what it holds to `plain`. */
  async decrypt(passphrase: string): Promise<void> {
    const options = ['--dump-volume-key', '--batch-mode', '--key-file=-'] as const;
    const said = await output(['cryptsetup', 'luksDump', ...options, this.path], { input: passphrase });
    const key = Buffer.from(/MK dump:\s+([0-9a-f\s]+)/.exec(said)?.[1]?.replaceAll(/\s/g, '') ?? '', 'hex');
    const { sectorSize, dataOffset } = (await luks.header.read(this.path)) ?? {};
    if (key.length !== 64 || sectorSize === undefined) throw new Error(`${this.path}: ${said}`);
    const cipher = this.#bytes.subarray(Number(dataOffset));
    const before = key.equals(this.#key) ? this.#cipher : Buffer.alloc(0);
    const clear = Buffer.alloc(cipher.length);
    this.#clear.copy(clear, 0, 0, before.length);
    for (const chunk of changed(cipher, before, { at: 0, end: cipher.length, step: chunkBytes }))
      for (const { at, end } of changed(cipher, before, { ...chunk, step: sectorSize })) {
        const iv = Buffer.alloc(16);
        iv.writeBigUInt64LE(BigInt(at / 512)); // plain64: in sectors of 512 bytes, whatever the volume's own are
        createDecipheriv('aes-256-xts', key, iv).update(cipher.subarray(at, end)).copy(clear, at);
      }
    [this.#key, this.#cipher, this.#clear] = [key, cipher, clear];
    await writeFile(this.plain, clear);
  }
}

type Range = { readonly at: number; readonly end: number };

/** The pieces of a range that are not as they were. */
function* changed(
  bytes: Buffer,
  before: Buffer,
  { at, end, step }: Range & { readonly step: number },
): Generator<Range> {
  for (let next = at; next < end; next += step) {
    const piece = { at: next, end: Math.min(next + step, end) };
    const isSame = before.subarray(piece.at, piece.end).equals(bytes.subarray(piece.at, piece.end));
    if (!isSame) yield piece;
  }
}
