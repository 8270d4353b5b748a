import { codeOf, type ErrorKind, kindOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import { isScarce } from '../system-code.ts';
import { type Answer, jsonAnswer, textAnswer } from './answer.ts';

/** The status of an error that is not of the answer itself; everything else is a defect. */
const statuses: Readonly<Partial<Record<ErrorKind, number>>> = {
  invalid: 400,
  unsupported: 400,
  'out-of-range': 400,
  denied: 403,
  'not-found': 404,
  refused: 409,
  exists: 409,
  busy: 503,
  damaged: 503, // an input is not what was verified at the start
  unavailable: 503,
  exhausted: 507,
};

/** What its kind says too little of: 403 is for callers who are known, 503 for all of them, and 400 for what never makes sense. */
const statusOfCode: ReadonlyMap<string | undefined, number> = new Map([
  ['ERR_FACTORY_CREDENTIAL', 401],
  ['ERR_FACTORY_BUSY', 429],
  ['ERR_FACTORY_PRECONDITION', 412],
  ['ERR_FACTORY_RANGE', 416],
]);

/** Half a minute, as where too much waits. */
const retryHeaders = { 'retry-after': '30' };

/** An error of the system as one that callers may hear of. */
function asTold(error: unknown): unknown {
  if (!isScarce(error)) return error;
  const what = 'this machine has no files or no memory left for it: try again in 30 s';
  return new FactoryError('ERR_FACTORY_OVERLOADED', what, { cause: error, headers: retryHeaders });
}

/** Where files lie is nobody's business. */
function told(error: Error): string {
  const code = codeOf(error);
  if (code === 'ERR_VIEW_CHANGED') return 'a file of the release is not what it was when it was loaded';
  if (code === 'ERR_VIEW_UNREADABLE') return 'a file of the release can not be read now: try again in 30 s';
  return error.message;
}

/**
 * An error as an answer: one line of text with code and message, or `application/problem+json` (RFC 9457) for who accepts JSON.
 * What is a defect says nothing of itself.
 */
export function problemAnswer(thrown: unknown, accept: string | undefined): Answer {
  const error = asTold(thrown);
  const kind = kindOf(error);
  const status = statusOfCode.get(codeOf(error)) ?? (kind && statuses[kind]) ?? 500;
  const code = status === 500 ? 'ERR_FACTORY_INTERNAL' : (codeOf(error) ?? 'ERR_FACTORY_INTERNAL');
  const message =
    status === 500 || !(error instanceof Error) ? 'this is a defect of the factory' : told(error);
  const isUnreadable = codeOf(error) === 'ERR_VIEW_UNREADABLE';
  const more = error instanceof FactoryError ? error.headers : isUnreadable ? retryHeaders : {};
  const headers = { 'cache-control': 'no-store', ...more };
  if (accept?.includes('json') !== true) return textAnswer(status, `${code}: ${message}\n`, headers);
  const place =
    error instanceof Error && 'line' in error && 'column' in error
      ? { line: error.line, column: error.column }
      : {};
  const nearest = error instanceof FactoryError && error.nearest.length > 0 ? { nearest: error.nearest } : {};
  const problem = { type: 'about:blank', title: code, status, detail: message, code, ...place, ...nearest };
  return jsonAnswer(status, problem, { ...headers, 'content-type': 'application/problem+json' });
}
