// Answers who has a token that node:crypto alone believes: node token-server.ts PUBLIC-KEY. Says its port.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const key = createPublicKey(readFileSync(process.argv[2] ?? ''));

/** The signature, the issuer and the time: what a library looks at. */
function isBelieved(token: string): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
    return false;
  const { iss, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    readonly iss: string;
    readonly exp: number;
  };
  return iss === 'image-factory' && exp > Date.now() / 1000;
}

const server = createServer((request, response) => {
  const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
  if (isBelieved(token)) response.end('{}');
  else response.writeHead(401).end();
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
