import { codeOf } from '@nodecore/sys';

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

/** Errors that end with another code than 1, by their codes. */
export const exitCodeByError: Readonly<Record<string, ExitCode>> = {
  ERR_USAGE: exitCodes.usage,
  ERR_FILTER: exitCodes.usage,
  ERR_PKI_FINGERPRINT: exitCodes.usage,
  ERR_PARTIAL: exitCodes.partial,
  ERR_NO_FILES: exitCodes.notFound,
  ERR_API_NOT_FOUND: exitCodes.notFound,
  ERR_API_DENIED: exitCodes.denied,
  ERR_API_UNAUTHENTICATED: exitCodes.denied,
  ERR_NOT_BACK: exitCodes.unreachable,
  ERR_API_UNREACHABLE: exitCodes.unreachable,
  ERR_API_TIMEOUT: exitCodes.unreachable,
  ERR_API_UNTRUSTED: exitCodes.unreachable,
  ERR_API_FINGERPRINT: exitCodes.unreachable,
  ERR_API_PROTOCOL: exitCodes.unreachable,
  ERR_KVSTORE_TIMEOUT: exitCodes.unreachable, // of a snapshot that stops coming
};

/** The exit code of an error, by its code. */
export function exitCodeOf(error: unknown): ExitCode {
  return exitCodeByError[codeOf(error) ?? ''] ?? exitCodes.failed;
}
