import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import { isScarce, systemCodeOf } from '../system-code.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { problemAnswer } from './problem.ts';

const realm = 'realm="nodecore-factory"';

/**
 * Clients of registries take an offer of bearer tokens for the address of a server that gives them, and browsers ask for no token: they
 * are offered the other way.
 */
const basic = `Basic ${realm}, charset="UTF-8"`;

/** Who is told: a program, a client of registries, or a browser, which logs in elsewhere or asks for a password. */
export type Audience = 'program' | 'registry' | 'browser' | 'login';

/** An error as an answer, with what a client may do about it; on paths of a registry as registries say it. */
export function refusalAnswer(error: unknown, accept: string | undefined, audience: Audience): Answer {
  const answer = problemAnswer(error, accept);
  // Callers are not told which file it is; whoever can do something about it is.
  if (answer.status === 503 && (isScarce(error) || systemCodeOf(error) !== undefined))
    console.error(`nodecore-factory: ${error instanceof Error ? error.message : ''}`);
  if (answer.status === 429) return { ...answer, headers: { ...answer.headers, 'retry-after': '60' } };
  if (!(error instanceof FactoryError) || (answer.status !== 401 && answer.status !== 403)) return answer;
  const challenge = challengeOf(error, audience);
  const headers = { 'cache-control': 'no-store', ...(challenge && { 'www-authenticate': challenge }) };
  if (audience !== 'registry') return { ...answer, headers: { ...answer.headers, ...headers } };
  const code = answer.status === 401 ? 'UNAUTHORIZED' : 'DENIED';
  return jsonAnswer(
    answer.status,
    { errors: [{ code, message: error.message, detail: codeOf(error) }] },
    headers,
  );
}

/** RFC 6750, 3 and RFC 7617, 2. */
function challengeOf({ code, needs }: FactoryError, audience: Audience): string | undefined {
  if (code === 'ERR_FACTORY_CREDENTIAL' && audience === 'login') return `Bearer ${realm}`;
  if (code === 'ERR_FACTORY_CREDENTIAL') return audience === 'program' ? `Bearer ${realm}, ${basic}` : basic;
  if (code === 'ERR_FACTORY_SCOPE') return `Bearer error="insufficient_scope", scope="${needs.join(' ')}"`;
  return undefined;
}
