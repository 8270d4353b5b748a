import { timingSafeEqual } from 'node:crypto';

import { crypt } from './ffi.ts';

/** What is taken for a hash: bcrypt of today, with a cost from 4 to 17 (2^17 rounds are 15 s). */
const form = /^\$2[aby]\$(?:0[4-9]|1[0-7])\$[./A-Za-z0-9]{53}$/;

export function isBcrypt(hash: string): boolean {
  return form.test(hash);
}

/** Whether a password has this hash. Takes as long when it has not, and the loop none of it. */
export async function hasBcrypt(password: Buffer, hash: string): Promise<boolean> {
  // The library would read no further.
  if (password.includes(0)) return false;
  const phrase = Buffer.concat([password, Buffer.of(0)]);
  const data = await crypt(phrase, hash);
  const isSame = timingSafeEqual(data.subarray(0, hash.length), Buffer.from(hash)) && data[hash.length] === 0;
  phrase.fill(0);
  data.fill(0);
  return isSame;
}
