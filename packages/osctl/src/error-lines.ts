import { codeOf } from '@nodecore/sys';
import { AllFailedError, FilterError, PartialError } from './errors.ts';

/** What to do next, by error code. */
const advice: Readonly<Record<string, string>> = {
  ERR_API_UNREACHABLE: 'check that the node is up and that the endpoint is right',
  ERR_API_TIMEOUT: 'the node or the way to it is slow; try again',
  ERR_API_UNTRUSTED:
    'the context is for another cluster, or the node is in maintenance mode: then use --insecure with --cert-fingerprint',
  ERR_API_FINGERPRINT: "compare with the fingerprint on the node's console",
  ERR_API_UNAUTHENTICATED: 'use a context with a client certificate of this cluster',
  ERR_API_DENIED: 'use a context whose certificate has the role',
  ERR_API_UNSUPPORTED: 'compare the versions: osctl version',
  ERR_API_PROTOCOL: 'check the port: a node listens on 50000',
};

/** An error as lines for people: one line, or one per node. Problems of a configuration have a line each, a filter has its caret. */
export function errorLines(error: unknown): string[] {
  if (error instanceof PartialError || error instanceof AllFailedError) {
    const lines = error.failures.flatMap(({ node, error: cause }) =>
      errorLines(cause).map((line) => `${node}: ${line}`),
    );
    return error instanceof PartialError ? [...lines, error.message] : lines;
  }
  if (error instanceof FilterError) return error.message.split('\n');
  const next = advice[codeOf(error) ?? ''];
  const message = error instanceof Error ? error.message : String(error);
  return [`${message.replaceAll('\n', ' ')}${next === undefined ? '' : `; ${next}`}`, ...problemLines(error)];
}

type Located = {
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly document: string;
  readonly path: string;
  readonly message: string;
  readonly code: string;
};

/** As the configuration package prints its own problems; those from a node have the same fields but for the file. */
function problemLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null || !('problems' in error) || !Array.isArray(error.problems))
    return [];
  return (error.problems as Located[]).map(({ file, line, column, document, path, message, code }) => {
    const where = [document, path].filter((part) => part !== '').join(' ');
    return `${file ?? '<config>'}:${line}:${column}: ${where === '' ? '' : `${where}: `}${message} (${code})`;
  });
}
