import { ResourceError, type ResourceErrorCode } from '../errors.ts';
import type { Operation } from '../operation.ts';
import type { Change } from '../seen.ts';
import { StateError, type StateErrorCode } from '../state-error.ts';
import type { Committed } from '../state.ts';
import type { LogLimits } from './log-writer.ts';
import type { Sealing } from './sealing.ts';

/** What the thread that writes is started with. */
export type ThreadData = {
  readonly path: string;
  readonly limits: LogLimits;
  readonly sealing?: Sealing | undefined;
};

/** One transaction that waits for a commit. */
export type Request = { readonly operations: readonly Operation[]; readonly nowMs: number };

/** What the thread is told: transactions of one commit, or that no more come. */
export type ToThread = { readonly requests: readonly Request[] } | { readonly close: true };

/** What the thread says: that the file is open; what a commit came to; or why nothing of it is there. */
export type FromThread =
  | { readonly opened: true }
  | { readonly revision: number; readonly changes: readonly Change[]; readonly answers: readonly Answer[] }
  | { readonly failure: SentError };

/** To one transaction: what it wrote, or why it was refused. */
export type Answer = Committed | { readonly refused: SentError };

/** An error on its way between threads, which keeps neither its class nor its fields. */
export type SentError = {
  readonly of: 'resource' | 'state' | 'other';
  readonly code: string;
  readonly subject: string;
  readonly message: string;
};

/** Makes an error fit for the way. */
export function sendError(error: unknown): SentError {
  if (error instanceof ResourceError) return sent('resource', error.code, error.resource, error.message);
  if (error instanceof StateError) return sent('state', error.code, error.subject, error.message);
  return {
    of: 'other',
    code: '',
    subject: '',
    message: error instanceof Error ? error.message : String(error),
  };
}

/** The error as it was before it was sent. */
export function receiveError({ of, code, subject, message }: SentError): Error {
  if (of === 'resource') return new ResourceError(code as ResourceErrorCode, subject, message);
  if (of === 'state') return new StateError(code as StateErrorCode, subject, message);
  return new Error(message);
}

/** The classes put the subject in front of the message. */
function sent(of: SentError['of'], code: string, subject: string, message: string): SentError {
  return { of, code, subject, message: message.slice(`${subject}: `.length) };
}
