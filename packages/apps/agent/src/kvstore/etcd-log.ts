import type { Log } from '../log.ts';

/** What of etcd's own fields is passed on: facts about members, and never a key or a value. */
const fields = ['error', 'took', 'remote-peer-id', 'local-member-id', 'alarm', 'reason'] as const;

/** Passes a line of etcd on to the log: its news as debug, its warnings and errors as such. */
export function passOn(text: string, log: Log): void {
  const { level, fields: kept, message } = parseLine(text);
  log[level]({ component: 'etcd', ...kept }, message);
}

type Line = {
  readonly level: 'debug' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** zap's JSON; anything else, such as a panic, as it is. */
export function parseLine(text: string): Line {
  const value = text.startsWith('{') ? parseObject(text) : undefined;
  const { level, msg } = value ?? {};
  if (value === undefined || typeof msg !== 'string') return { level: 'warn', message: text, fields: {} };
  const kept = fields.flatMap((name) => {
    const field = value[name];
    return typeof field === 'string' ? [[name, field] as const] : [];
  });
  return {
    level: level === 'info' || level === 'debug' ? 'debug' : level === 'warn' ? 'warn' : 'error',
    message: msg,
    fields: Object.fromEntries(kept),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined; // a line that was cut: shown as text
  }
}
