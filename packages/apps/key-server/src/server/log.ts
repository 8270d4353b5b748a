import { type Logger, pino } from 'pino';

import type { LineSink } from './line-file.ts';

/** What the server says about itself. Facts, never keys or blobs. */
export type Log = Logger;

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'silent';

/** From the fewest lines to the most; `silent` writes none at all. */
export const logLevels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug', 'silent'];

/** Lines of JSON with times in ISO 8601. Errors show type, code, message and stack only; the caller closes the sink. */
export function createLog(level: LogLevel, sink: LineSink): Log {
  const formatters = { level: (name: string) => ({ level: name }) };
  return pino(
    { level, base: null, formatters, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: shown } },
    sink,
  );
}

/** Other properties of errors may hold what must not be logged. */
function shown(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error object' };
  const { name, message, stack } = error;
  return { type: name, ...('code' in error ? { code: String(error.code) } : {}), message, stack };
}
