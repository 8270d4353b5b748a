// Serves a file as a plain program does: node plain-server.ts FILE. Says its port.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

const path = process.argv[2] ?? '';
const server = createServer((_request, response) => {
  response.setHeader('content-length', statSync(path).size);
  void pipeline(createReadStream(path), response).catch(() => {});
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
