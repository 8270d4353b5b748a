// Answers who has a token that `jose` alone believes: node jose-server.ts PUBLIC-KEY. Says its port.
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { jwtVerify } from 'jose';

const key = createPublicKey(readFileSync(process.argv[2] ?? ''));
const server = createServer((request, response) => {
  const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
  jwtVerify(token, key, { issuer: 'image-factory' }).then(
    () => response.end('{}'),
    () => response.writeHead(401).end(),
  );
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
