import type { IncomingMessage, ServerResponse } from 'node:http';

import { answer, isSameOrigin, sessionCookie, sessionOf } from './headers.ts';
import type { Sessions } from './sessions.ts';

const maxBody = 1024;

/** POST with a login opens a session, GET says whose it is, DELETE ends it. */
export async function answerSession(
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method } = request;
  if (method === 'GET') {
    const caller = await sessions.callerOf(sessionOf(request));
    if (caller === undefined) return answer(response, 401, 'sign in');
    const { identity, role } = caller;
    return answer(response, 200, JSON.stringify({ identity, role }), { 'content-type': 'application/json' });
  }
  if (!isSameOrigin(request)) return answer(response, 403, 'another site asks');
  if (method === 'DELETE') {
    sessions.close(sessionOf(request));
    return answer(response, 200, 'signed out', { 'set-cookie': sessionCookie('') });
  }
  if (method !== 'POST') return answer(response, 405, 'GET, POST or DELETE', { allow: 'GET, POST, DELETE' });
  // A form of another site can't send this type.
  if (request.headers['content-type'] !== 'application/json') return answer(response, 415, 'JSON is needed');
  const session = await sessions.open((await loginOf(request)) ?? '');
  if (session === undefined) return answer(response, 401, 'this login was used, or is too old');
  return answer(response, 200, 'signed in', { 'set-cookie': sessionCookie(session) });
}

async function loginOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) return undefined;
    chunks.push(chunk);
  }
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const login =
      typeof parsed === 'object' && parsed !== null && 'login' in parsed ? parsed.login : undefined;
    return typeof login === 'string' ? login : undefined;
  } catch {
    return undefined;
  }
}
