import type { IncomingMessage, ServerResponse } from 'node:http';

/** A name that browsers take from this host alone, over TLS, for every path. */
const cookieName = '__Host-fleet';

/** What every answer has: nothing is loaded, framed or sent elsewhere. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The session of a request; empty without one. */
export function sessionOf({ headers }: IncomingMessage): string {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === cookieName) return value ?? '';
  }
  return '';
}

/** The cookie of a session; an empty one ends it. */
export function sessionCookie(session: string): string {
  const age = session === '' ? '; Max-Age=0' : '';
  return `${cookieName}=${session}; Path=/; Secure; HttpOnly; SameSite=Strict${age}`;
}

/** Whether a page of this server asks, and not one of somebody else. */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host;
}

/** Answers with a few words. */
export function answer(response: ServerResponse, status: number, words: string, more: object = {}): void {
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, { ...safeHeaders, ...type, ...more });
  response.end(`${words}\n`);
}
