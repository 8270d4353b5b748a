import { codeOf, type ErrorKind, kindOf, kindPolicies } from '@nodecore/sys/pure';

/** What the exit codes of our programs mean; scripts rely on them. A program uses those that it has a meaning for. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  unreachable: 5,
  partial: 6,
  timedOut: 7,
  differences: 8,
  noRuntime: 9,
  interrupted: 130, // 128 + SIGINT, as shells have it
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Exit codes in words, for help texts. */
export const exitWords: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'ok',
  failed: 'failed',
  usage: 'usage',
  notFound: 'not found',
  denied: 'denied',
  unreachable: 'unreachable',
  partial: 'partial',
  timedOut: 'timed out',
  differences: 'differences',
  noRuntime: 'no container runtime',
  interrupted: 'interrupted',
};

/** Kinds of errors that end with another code than 1. */
export const exitCodeByKind: ReadonlyMap<ErrorKind, ExitCode> = new Map(
  (Object.keys(kindPolicies) as ErrorKind[])
    .map((kind) => [kind, exitCodes[kindPolicies[kind].exit]] as const)
    .filter(([, code]) => code !== exitCodes.failed),
);

/** The exit code of an error: 2 for a wrong command line, else by its kind, unless its code is an exception. */
export function exitCodeOf(
  error: unknown,
  {
    exceptions = new Map(),
    byKind = exitCodeByKind,
  }: {
    readonly exceptions?: ReadonlyMap<string, ExitCode>;
    readonly byKind?: ReadonlyMap<ErrorKind, ExitCode>;
  } = {},
): ExitCode {
  const code = codeOf(error) ?? '';
  const kind = kindOf(error);
  return (
    exceptions.get(code) ??
    (code === 'ERR_USAGE' ? exitCodes.usage : undefined) ??
    (kind === undefined ? undefined : byKind.get(kind)) ??
    exitCodes.failed
  );
}
