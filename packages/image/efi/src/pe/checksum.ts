/**
 * CheckSum of a PE file: the 16-bit words of the file added with end-around carry, plus its length. The field itself counts
 * as zero. Bytes may come in pieces of any size.
 */
export class PeChecksum {
  #sum = 0;
  #length = 0;

  /** Takes the next bytes of the file in. */
  update(bytes: Uint8Array): this {
    let sum = wordSum(bytes);
    // A piece that begins in the middle of a word has its bytes the other way round.
    if (this.#length % 2 === 1) sum = ((sum & 0xff) << 8) | (sum >>> 8);
    this.#sum = fold(this.#sum + sum);
    this.#length += bytes.length;
    return this;
  }

  /** The checksum of everything so far. */
  digest(): number {
    return this.#sum + this.#length;
  }
}

/** Words of 32 bits add up to the same as their halves, modulo 0xffff; a double holds the sum of 2^21 of them. */
function wordSum(bytes: Uint8Array): number {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = bytes.length - (bytes.length % 4);
  let sum = 0;
  for (let at = 0; at < whole;) {
    const stop = Math.min(whole, at + (1 << 20));
    for (; at < stop; at += 4) sum += data.getUint32(at, true);
    sum = fold(sum);
  }
  for (let at = whole; at < bytes.length; at++)
    sum += at % 2 === 0 ? data.getUint8(at) : data.getUint8(at) << 8;
  return fold(sum);
}

function fold(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded % 0x1_0000) + Math.floor(folded / 0x1_0000);
  return folded;
}
