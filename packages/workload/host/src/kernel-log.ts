/** A record of the kernel's log, as `/dev/kmsg` gives it. */
export type KernelRecord = {
  /** Counts up by one with each record of this boot. */
  readonly sequence: number;
  /** Microseconds of the monotonic clock. */
  readonly clockMicros: number;
  readonly facility: string;
  readonly priority: string;
  readonly message: string;
};

const facilities = 'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp'.split(' ');
const priorities = 'emerg alert crit err warning notice info debug'.split(' ');

/**
 * One record: `6,339,5140900,-;NET: Registered protocol family 10`, then lines of facts that begin with a blank
 * (Documentation/ABI/testing/dev-kmsg). Undefined for what is none.
 */
export function parseKernelRecord(text: string): KernelRecord | undefined {
  const [, prefix, sequence, clock, rest] = /^(\d+),(\d+),(\d+)(?:,[^;]*)?;([\s\S]*)$/u.exec(text) ?? [];
  if (prefix === undefined || rest === undefined) return undefined;
  const number = Number(prefix);
  return {
    sequence: Number(sequence),
    clockMicros: Number(clock),
    facility: facilities[number >> 3] ?? `local${(number >> 3) - 16}`,
    priority: priorities[number & 7] ?? '',
    message: unescaped(rest.split('\n')[0] ?? ''),
  };
}

/** Bytes that are no text stand as `\xNN`. */
function unescaped(text: string): string {
  const bytes = Buffer.from(text);
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const digits = bytes.toString('latin1', at, at + 4);
    if (/^\\x[0-9a-f]{2}$/u.test(digits)) {
      out.push(Number.parseInt(digits.slice(2), 16));
      at += 3;
    } else out.push(bytes[at] ?? 0);
  }
  return Buffer.from(out).toString('utf8');
}

/** The record as one line of JSON, for those who collect logs. @param bootMs when the monotonic clock was 0, since the epoch. */
export function kernelRecordJson(record: KernelRecord, bootMs: number): string {
  const { message, sequence, clockMicros, facility, priority } = record;
  return JSON.stringify({
    msg: message,
    'os-time': new Date(bootMs + clockMicros / 1000).toISOString(),
    'os-level': levels[priority] ?? 'info',
    facility,
    seq: sequence,
    clock: clockMicros,
    priority,
  });
}

/**
 * The record as one line of JSON that says which service has spoken: the agent and PID 1 write into the kernel's log, too, the
 * agent for the programs that it runs. @param tags more fields; none of them takes the place of another.
 */
export function serviceRecordJson(
  record: KernelRecord,
  bootMs: number,
  tags: Readonly<Record<string, string>> = {},
): string {
  const { message, clockMicros, priority } = record;
  const [, writer, own] = /^(nodecore|init): ([\s\S]*)$/u.exec(message) ?? [];
  const program = writer === 'nodecore' ? / program="?([\w.-]+)"?/u.exec(message)?.[1] : undefined;
  return JSON.stringify({
    ...tags,
    msg: own ?? message,
    'os-time': new Date(bootMs + clockMicros / 1000).toISOString(),
    'os-level': levels[priority] ?? 'info',
    'os-service': program ?? (writer === 'nodecore' ? 'agent' : (writer ?? 'kernel')),
  });
}

const levels: Readonly<Record<string, string>> = {
  emerg: 'error',
  alert: 'error',
  crit: 'error',
  err: 'error',
  warning: 'warn',
  debug: 'debug',
};
