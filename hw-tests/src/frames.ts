/** Kinds of frames between the host and the runner in the machine; guest/runner.c has the same numbers. */
export const frameKind = {
  start: 1,
  input: 2,
  inputEnd: 3,
  signal: 4,
  powerOff: 5,
  ready: 16,
  output: 17,
  errorOutput: 18,
  exit: 19,
} as const;

export type FrameKind = (typeof frameKind)[keyof typeof frameKind];

/** One message: `id` says which command it is about, 0 none. */
export type Frame = { readonly kind: number; readonly id: number; readonly payload: Buffer };

const headerBytes = 9;

/** The bytes of one frame: length of the payload, kind, command id (little endian), payload. */
export function encodeFrame(kind: FrameKind, id: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(payload.length, 0);
  header.writeUInt8(kind, 4);
  header.writeUInt32LE(id, 5);
  return Buffer.concat([header, payload]);
}

/** Cuts a byte stream into frames. Each `push` returns the frames that became complete. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      if (this.#length < headerBytes) return frames;
      const header = this.#peek(headerBytes);
      const total = headerBytes + header.readUInt32LE(0);
      if (this.#length < total) return frames;
      const bytes = this.#peek(total).subarray(0, total);
      frames.push({
        kind: bytes.readUInt8(4),
        id: bytes.readUInt32LE(5),
        payload: bytes.subarray(headerBytes),
      });
      this.#drop(total);
    }
  }

  /** The first `length` bytes as one buffer; joins chunks only when the first is too short. */
  #peek(length: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= length) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #drop(length: number): void {
    const first = this.#chunks[0];
    if (first === undefined) return;
    this.#length -= length;
    if (first.length === length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(length);
  }
}
