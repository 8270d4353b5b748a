import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import { type SoftwareTpm, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/** Command codes (TPM 2.0 Part 2, 6.5.2). */
export const command = {
  evictControl: 0x120,
  createPrimary: 0x131,
  create: 0x153,
  load: 0x157,
  unseal: 0x15e,
  flushContext: 0x165,
  startAuthSession: 0x176,
  getCapability: 0x17a,
  pcrRead: 0x17e,
  policyPcr: 0x17f,
  pcrExtend: 0x182,
} as const;

/** Somebody on the bus. What it returns goes on; nothing: no answer, ever. */
export type Tampering = {
  /** Sees every command before the TPM does. */
  readonly onCommand?: (
    code: number,
    bytes: Buffer,
    send: (bytes: Uint8Array) => Promise<Buffer>,
  ) => Promise<Uint8Array> | Uint8Array | undefined;
  /** Sees every answer before we do. */
  readonly onAnswer?: (code: number, bytes: Buffer) => Uint8Array | undefined;
};

/** Stands between us and a software TPM, and passes commands and answers on as `tampering` has them. */
export async function interposer(
  t: ExecutionContext,
  software: SoftwareTpm,
  tampering: Tampering,
): Promise<{ readonly tcti: string }> {
  const path = join(await temporaryDirectory(t), 'bus');
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const bus = createServer((ours) => {
    keep(ours);
    const theirs = keep(createConnection(software.socket));
    ours.on('close', () => theirs.end());
    theirs.on('close', () => ours.end());
    const ask = questions(theirs);
    void serve(ours, ask, tampering);
  });
  const control = createServer((ours) => {
    const theirs = keep(createConnection(`${software.socket}.ctrl`));
    keep(ours).pipe(theirs).pipe(ours);
  });
  await listen(bus, path);
  await listen(control, `${path}.ctrl`);
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([bus, control].map((server) => new Promise((done) => server.close(done))));
  });
  return { tcti: `swtpm:path=${path}` };
}

async function serve(
  ours: Socket,
  ask: (bytes: Uint8Array) => Promise<Buffer>,
  { onCommand = (_, bytes) => bytes, onAnswer = (_, bytes) => bytes }: Tampering,
): Promise<void> {
  for await (const bytes of packets(ours)) {
    const code = bytes.readUInt32BE(6);
    const question = await onCommand(code, bytes, ask);
    const answer = question === undefined ? undefined : onAnswer(code, await ask(question));
    if (answer === undefined) return await forEver(ours); // leaving the loop would close the socket
    ours.write(answer);
  }
}

/** Until the other side gives up. */
async function forEver(socket: Socket): Promise<void> {
  await new Promise((resolve) => socket.once('close', resolve));
}

function questions(theirs: Socket): (bytes: Uint8Array) => Promise<Buffer> {
  const answers = packets(theirs);
  return async (bytes) => {
    theirs.write(bytes);
    const { value } = await answers.next();
    return value ?? Buffer.alloc(0);
  };
}

/** Commands and answers alike: tag, size of the whole, code. */
async function* packets(socket: Socket): AsyncGenerator<Buffer, void> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    while (bytes.length >= 10 && bytes.length >= bytes.readUInt32BE(2)) {
      const size = bytes.readUInt32BE(2);
      yield bytes.subarray(0, size);
      bytes = bytes.subarray(size);
    }
  }
}

async function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  await promise;
}
