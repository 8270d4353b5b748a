import { codeOf, type ErrorKind, kindOf } from '@nodecore/sys';

/** What the exit codes of `osctl` mean; scripts rely on them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  unreachable: 5,
  partial: 6,
  interrupted: 130, // 128 + SIGINT, as shells have it
} as const;

/** In the help text; docs/exit-codes.md says more. */
export const exitWords: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'ok',
  failed: 'failed',
  usage: 'usage',
  notFound: 'not found',
  denied: 'denied',
  unreachable: 'unreachable',
  partial: 'some nodes failed',
  interrupted: 'interrupted',
};

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Kinds of errors that end with another code than 1: the only such table. */
const byKind: ReadonlyMap<ErrorKind, ExitCode> = new Map([
  ['not-found', exitCodes.notFound],
  ['denied', exitCodes.denied],
  ['unavailable', exitCodes.unreachable],
  ['timeout', exitCodes.unreachable],
]);

/** Codes whose exit code does not follow from the kind. */
const exceptions: ReadonlyMap<string, ExitCode> = new Map([
  // The words on the command line, and not a document that they name, are invalid.
  ['ERR_USAGE', exitCodes.usage],
  ['ERR_FILTER', exitCodes.usage],
  ['ERR_PKI_FINGERPRINT', exitCodes.usage],
  // Several outcomes in one.
  ['ERR_PARTIAL', exitCodes.partial],
  // Something answers at the address, and it is not the node.
  ['ERR_API_UNTRUSTED', exitCodes.unreachable],
  ['ERR_API_FINGERPRINT', exitCodes.unreachable],
  ['ERR_API_PROTOCOL', exitCodes.unreachable],
  ['ERR_KVSTORE_TIMEOUT', exitCodes.unreachable], // of a snapshot that stops coming
]);

/** Errors about a file of this machine: 3, 4 and 5 speak of nodes. */
const local = /^ERR_(?:BPF|CAPTURE|KVSTORE|OSCONFIG)_/u;

/** The exit code of an error: by its kind, unless the code has one of its own. */
export function exitCodeOf(error: unknown): ExitCode {
  const code = codeOf(error) ?? '';
  const kind = local.test(code) ? undefined : kindOf(error);
  return exceptions.get(code) ?? (kind === undefined ? undefined : byKind.get(kind)) ?? exitCodes.failed;
}
