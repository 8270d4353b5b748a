import type { IncomingMessage } from 'node:http';

/** Why a request is not taken, whatever it asks for. */
export type Flaw = readonly [status: string, message: string];

export const noRequest: Flaw = ['400 Bad Request', 'no request as HTTP/1.1 has it (RFC 9112)'];
export const otherVersion: Flaw = ['505 HTTP Version Not Supported', 'HTTP/1.1 and HTTP/1.0 alone'];
export const noTunnel: Flaw = ['501 Not Implemented', 'connect: this is no proxy'];
export const otherExpectation: Flaw = ['417 Expectation Failed', 'expect: 100-continue alone'];
const noHost: Flaw = ['400 Bad Request', 'host: exactly one, as RFC 9112 has it'];
const otherCoding: Flaw = ['501 Not Implemented', 'transfer-encoding: chunked alone'];

/** What the parser lets through, and is not answered as though it were not there. */
export function flawOf(incoming: IncomingMessage): Flaw | undefined {
  if (incoming.httpVersionMajor > 1) return otherVersion;
  if (!hasHost(incoming)) return noHost;
  if (incoming.httpVersionMajor < 1) return otherVersion;
  return isCoded(incoming) ? otherCoding : undefined;
}

/** Two would be read by a proxy as one, and here as the other. */
function hasHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count === 1 || (count === 0 && httpVersion === '1.0');
}

/** Whether its chunks are of something that is to be decoded (RFC 9112, 6.1). Where they are not the last the parser says so. */
function isCoded({ headers }: IncomingMessage): boolean {
  const codings = (headers['transfer-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase());
  return codings.at(-1) === 'chunked' && codings.slice(0, -1).some((coding) => coding !== '');
}
