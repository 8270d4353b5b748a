import { type Logger, pino } from 'pino';

/** What the fleet manager says about itself. Facts: never a token, a code, a key or a request. */
export type Log = Logger;

/** From the fewest lines to the most; `silent` writes none at all. */
export const logLevels = ['error', 'warn', 'info', 'debug', 'silent'] as const;

/** How much is logged. */
export type LogLevel = (typeof logLevels)[number];

/** Lines of JSON on standard output, written at once: a line that waits in a buffer is lost with a kill. */
export function createLog(level: LogLevel): Log {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (name: string) => ({ level: name }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: shown },
    },
    pino.destination({ dest: 1, sync: true }),
  );
}

/** Other properties of errors may hold what must not be logged. */
function shown(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error object' };
  const { name, message, stack } = error;
  return { type: name, ...('code' in error ? { code: String(error.code) } : {}), message, stack };
}
