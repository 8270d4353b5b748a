/** A command to a management controller, or its answer, as IPMI carries them (specification 2.0, 13.8). */
export type IpmiMessage = {
  /** Network function; that of an answer is one more. */
  readonly netFn: number;
  readonly command: number;
  /** Of an answer: its completion code first. */
  readonly data: Buffer;
  /** By which the one who asks knows the answer. */
  readonly sequence: number;
  /** Who asks. */
  readonly from: number;
};

/** The address of a management controller. */
const controller = 0x20;

/** A command from its bytes; undefined for one that is damaged, or is for somebody else. */
export function parseRequest(bytes: Buffer): IpmiMessage | undefined {
  if (bytes.length < 7 || bytes.readUInt8(0) !== controller) return undefined;
  if (sum(bytes.subarray(0, 3)) !== 0 || sum(bytes.subarray(3)) !== 0) return undefined;
  const netFn = bytes.readUInt8(1) >> 2;
  if (netFn % 2 !== 0) return undefined;
  return {
    netFn,
    from: bytes.readUInt8(3),
    sequence: bytes.readUInt8(4),
    command: bytes.readUInt8(5),
    data: bytes.subarray(6, -1),
  };
}

/** The bytes of an answer. @param data its completion code first */
export function answerTo(request: IpmiMessage, data: Buffer): Buffer {
  const head = withSum(Buffer.from([request.from, (request.netFn + 1) << 2]));
  const body = Buffer.from([controller, request.sequence, request.command]);
  return Buffer.concat([head, withSum(Buffer.concat([body, data]))]);
}

function withSum(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from([-sum(bytes) & 0xff])]);
}

function sum(bytes: Buffer): number {
  return bytes.reduce((total, byte) => (total + byte) & 0xff, 0);
}
