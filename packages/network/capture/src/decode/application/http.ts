import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { latinText, safeText } from '../text.ts';

/** The first line of an HTTP/1 message (RFC 9112), and a few of its fields. */
export type Http = {
  readonly protocol: 'http';
  readonly method?: string;
  readonly target?: string;
  readonly version: string;
  readonly status?: number;
  readonly reason?: string;
  readonly host?: string;
  readonly userAgent?: string;
  readonly contentType?: string;
  readonly contentLength?: number;
  readonly length: number;
};

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'PROPFIND',
  'NOTIFY',
  'M-SEARCH',
];
const longestStart = 16;
const longestHead = 8192;
const longestLine = 2048;
const newline = 0x0a;

/** Whether the bytes begin as a request or a response does. */
export function looksLikeHttp(bytes: Reader): boolean {
  const first = bytes.peek();
  // Letters that methods and `HTTP/` begin with: most payloads are refused by their first byte.
  if (first === undefined || first < 0x43 || first > 0x54) return false;
  const text = latinText(bytes.bytes.subarray(bytes.at, Math.min(bytes.at + longestStart, bytes.end)));
  return text.startsWith('HTTP/1.') || methods.some((method) => text.startsWith(`${method} `));
}

/** Reads the first line and the header of a request or an answer of HTTP/1; the body is not looked at. */
export function readHttp(bytes: Reader, packet: Dissection<Http>): void {
  const length = bytes.wireLeft;
  const head = bytes.bytes.subarray(bytes.at, Math.min(bytes.end, bytes.at + longestHead));
  const lines = headLines(head);
  const first = lines.next().value;
  if (first === undefined) return;
  const start = readStart(first);
  const fields: { host?: string; userAgent?: string; contentType?: string; contentLength?: number } = {};
  let ended = false;
  for (const line of lines) {
    ended = line.length === 0;
    const colon = line.indexOf(0x3a);
    if (colon < 0 || colon > 64) continue;
    const name = latinText(line.subarray(0, colon)).toLowerCase();
    const value = (): string => safeText(line.subarray(colon + 1)).trim();
    if (name === 'host') fields.host ??= value();
    else if (name === 'user-agent') fields.userAgent ??= value();
    else if (name === 'content-type') fields.contentType ??= value();
    else if (name === 'content-length' && /^\d{1,15}$/.test(value()))
      fields.contentLength ??= Number(value());
  }
  packet.push({ protocol: 'http', ...start, ...fields, length });
  if (!ended && bytes.end < bytes.wireEnd) bytes.faults.truncate();
}

/** Lines up to the empty one that ends a head, without their ends. */
function* headLines(head: Uint8Array): Generator<Uint8Array, undefined, undefined> {
  for (let at = 0; at < head.length;) {
    const found = head.indexOf(newline, at);
    const next = found < 0 ? head.length : found;
    const end = next > at && head[next - 1] === 0x0d ? next - 1 : next;
    yield head.subarray(at, Math.min(end, at + longestLine));
    if (end === at && found >= 0) return undefined;
    at = next + 1;
  }
  return undefined;
}

function readStart(line: Uint8Array): Pick<Http, 'method' | 'target' | 'version' | 'status' | 'reason'> {
  const text = safeText(line);
  const response = /^HTTP\/(\d\.\d) (\d{3})(?: (.*))?$/.exec(text);
  if (response !== null) {
    const [, version = '', status = '', reason = ''] = response;
    return { version, status: Number(status), reason };
  }
  const [method = '', target = '', last = ''] = text.split(' ', 3);
  return { method, target, version: last.startsWith('HTTP/') ? last.slice(5) : '' };
}

/** `HTTP: GET /index.html HTTP/1.1 (host example.org)`; from verbose 1 on also type, length and agent. */
export function httpLine(http: Http, verbose: number): string {
  const version = http.version === '' ? '' : ` HTTP/${http.version}`;
  const start =
    http.status === undefined
      ? `${http.method} ${http.target}${version}`
      : `HTTP/${http.version} ${http.status} ${http.reason}`.trimEnd();
  const host = http.host === undefined ? '' : ` (host ${http.host})`;
  if (verbose === 0) return `HTTP: ${start}${host}`;
  const type = http.contentType === undefined ? '' : `, type ${http.contentType}`;
  const size = http.contentLength === undefined ? '' : `, content length ${http.contentLength}`;
  const agent = http.userAgent === undefined ? '' : `, agent ${http.userAgent}`;
  return `HTTP: ${start}${host}${type}${size}${agent}`;
}
