/** Where the life cycle logs what it does; pino's loggers fit. No field ever holds a key. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export const silent: Log = { info: () => {}, warn: () => {} };
