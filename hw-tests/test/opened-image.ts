import { createDecipheriv } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

import * as luks from '@nodecore/luks';
import { output } from '@nodecore/testkit';

/**
 * Writes what a LUKS2 image holds to `plain`, without device-mapper and without our library: cryptsetup says the volume
 * key, and AES-XTS is computed here, with a sector's number as its IV.
 */
export async function decryptImage(image: string, plain: string, passphrase: string): Promise<void> {
  const dump = [
    'cryptsetup',
    'luksDump',
    '--dump-volume-key',
    '--batch-mode',
    '--key-file=-',
    image,
  ] as const;
  const said = await output(dump, { input: passphrase });
  const key = Buffer.from(/MK dump:\s+([0-9a-f\s]+)/.exec(said)?.[1]?.replaceAll(/\s/g, '') ?? '', 'hex');
  const { sectorSize, dataOffset } = (await luks.header.read(image)) ?? {};
  if (key.length !== 64 || sectorSize === undefined) throw new Error(`${image}: ${said}`);
  const bytes = (await readFile(image)).subarray(Number(dataOffset));
  const clear = Buffer.alloc(bytes.length);
  for (let at = 0; at < bytes.length; at += sectorSize) {
    const iv = Buffer.alloc(16);
    iv.writeBigUInt64LE(BigInt(at / 512)); // plain64: in sectors of 512 bytes, whatever the volume's own are
    const decipher = createDecipheriv('aes-256-xts', key, iv);
    decipher.update(bytes.subarray(at, at + sectorSize)).copy(clear, at);
  }
  await writeFile(plain, clear);
}
