import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A file that is built anew, and served in this process as a plain program does. @returns what asks for it. */
export async function servedFile(
  stack: AsyncDisposableStack,
  path: string,
): Promise<() => Promise<ReadableStream<Uint8Array>>> {
  const server = createServer(
    (_request, response) => void pipeline(createReadStream(path), response).catch(() => {}),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return async () => {
    const { body } = await fetch(url);
    if (body === null) throw new Error('no body');
    return body;
  };
}
