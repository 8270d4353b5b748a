import type { ApiError } from '@nodecore/api';
import { printable } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

import { adviceFor, isOfApi } from './error-lines.ts';
import { AllFailedError, type NodeFailure, PartialError, RemoteExitError } from './errors.ts';
import { exitCodeOf } from './exit.ts';

/** An error as programs read it, one for each node that failed; published as `osctl-error.schema.json`. */
export type ErrorObject = {
  readonly code: string;
  readonly exitCode: number;
  readonly message: string;
  /** Of several: as it was named. Of one: the address that was called. */
  readonly node?: string;
  /** Code of the error on the node. */
  readonly reason?: string;
  readonly requestId?: string;
  readonly advice?: string;
  readonly problems?: readonly object[];
};

/** What {@link errorLines} says to people; nothing in it moves a cursor. */
export function errorObjects(error: unknown): readonly ErrorObject[] {
  if (error instanceof PartialError || error instanceof AllFailedError) return error.failures.map(ofNode);
  return [objectOf(error)];
}

function ofNode({ node, error }: NodeFailure): ErrorObject {
  return { ...objectOf(error), node: printable(node) };
}

function objectOf(error: unknown): ErrorObject {
  const message = error instanceof Error ? error.message : String(error);
  const advice = adviceFor(error);
  return {
    code: codeOf(error) ?? 'ERR_FAILED', // a defect of osctl has none
    exitCode: error instanceof RemoteExitError ? error.exitCode : exitCodeOf(error),
    message: harmless(message),
    ...(advice !== undefined && { advice }),
    ...problemsOf(error),
    ...(isOfApi(error) && ofApi(error)),
  };
}

function ofApi({ node, endpoint, reason, requestId }: ApiError): Partial<ErrorObject> {
  return {
    node: printable(node ?? endpoint),
    ...(reason !== undefined && { reason: printable(reason) }),
    ...(requestId !== undefined && { requestId: printable(requestId) }),
  };
}

/** Of a configuration: where and by which rule; those from a node name no file. */
function problemsOf(error: unknown): Partial<ErrorObject> {
  if (!(error instanceof Error) || !('problems' in error) || !Array.isArray(error.problems)) return {};
  if (error.problems.length === 0) return {};
  return {
    problems: (error.problems as Readonly<Record<string, unknown>>[]).map((problem) =>
      Object.fromEntries(
        problemFields.flatMap((name) => {
          const value = problem[name];
          if (typeof value === 'string') return [[name, harmless(value)]];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    ),
  };
}

const problemFields = ['code', 'message', 'path', 'document', 'line', 'column', 'file'] as const;

/** JSON leaves some control characters as they are. */
function harmless(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
