import {
  type ExitCode,
  exitCodeOf as exitCodeBy,
  exitCodes as every,
  exitWords as words,
} from '@nodecore/cli';
import { codeOf, type ErrorKind } from '@nodecore/sys/pure';

/** What the exit codes of `osctl` mean; scripts rely on them. */
export const exitCodes: typeof every = every;

/** In the help text; docs/exit-codes.md says more. */
export const exitWords: Readonly<Record<keyof typeof exitCodes, string>> = {
  ...words,
  partial: 'some nodes or files failed',
};

/** Codes whose exit code does not follow from the kind. */
const exceptions: ReadonlyMap<string, ExitCode> = new Map([
  // The words on the command line, and not a document that they name, are invalid.
  ['ERR_FILTER', every.usage],
  ['ERR_PKI_FINGERPRINT', every.usage],
  // Several outcomes in one.
  ['ERR_PARTIAL', every.partial],
  ['ERR_INCOMPLETE', every.partial],
  // What was asked for by --exit-code.
  ['ERR_DIFFERENT', every.differences],
  // Something answers at the address, and it is not the node.
  ['ERR_API_UNTRUSTED', every.unreachable],
  ['ERR_API_FINGERPRINT', every.unreachable],
  ['ERR_API_PROTOCOL', every.unreachable],
  // A node that does not answer a call can not be reached; what was begun and waited for is another matter.
  ['ERR_API_TIMEOUT', every.unreachable],
  ['ERR_KVSTORE_TIMEOUT', every.unreachable], // of a snapshot that stops coming
]);

/** What a node says of a call that it refuses, where a script has to know without reading words. */
const reasons: ReadonlyMap<string, ExitCode> = new Map([['ERR_CONTAINER_RUNTIME', every.noRuntime]]);

/** Errors about a file of this machine: 3, 4 and 5 speak of nodes. */
const local = /^ERR_(?:BPF|CAPTURE|KVSTORE|OSCONFIG)_/u;

const noKind: ReadonlyMap<ErrorKind, ExitCode> = new Map();

/** The exit code of an error: by its kind, unless the code, or that of the error on the node, has one of its own. */
export function exitCodeOf(error: unknown): ExitCode {
  const own = reasons.get(reasonOf(error) ?? codeOf(error) ?? '');
  if (own !== undefined) return own;
  return exitCodeBy(error, { exceptions, ...(local.test(codeOf(error) ?? '') && { byKind: noKind }) });
}

/** The code of the error on the node. */
function reasonOf(error: unknown): string | undefined {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string'
    ? error.reason
    : undefined;
}
