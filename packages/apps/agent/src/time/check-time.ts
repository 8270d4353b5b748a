import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { HostError, ntpQuestion, readNtpAnswer } from '@nodecore/host';
import { askTime, NativeError, readHardwareClock } from '@nodecore/native';
import { codeOf } from '@nodecore/sys';

/** Who was asked, and what that says beside the clock of this machine. */
export type CheckedTime = {
  readonly server: string;
  /** Where it answered from; `''` of a clock of the machine. */
  readonly address: string;
  readonly localMicros: number;
  readonly remoteMicros: number;
  readonly offsetMicros: number;
  readonly roundTripMicros: number;
  /** 0 of a clock of the machine. */
  readonly stratum: number;
};

export type CheckTimeOptions = {
  readonly signal?: AbortSignal;
  /** 123, but in tests. */
  readonly port?: number;
  readonly patienceMs?: number;
};

const ntpPort = 123;
const defaultPatienceMs = 5_000;

/**
 * Asks a server once by NTP, or reads a clock of the machine (`/dev/ptp0`).
 *
 * @throws {HostError} `ERR_HOST_VALUE` for what is neither, `ERR_HOST_TIME` for one that does not say the time.
 */
export async function checkTime(server: string, options: CheckTimeOptions = {}): Promise<CheckedTime> {
  try {
    return await (server.startsWith('/') ? checkClock(server, options) : checkServer(server, options));
  } catch (error) {
    options.signal?.throwIfAborted();
    const why = error instanceof NativeError ? reasons[error.errno] : undefined;
    if (why === undefined) throw error;
    throw new HostError('ERR_HOST_TIME', server, why, { cause: error });
  }
}

const reasons: Readonly<Record<string, string | undefined>> = {
  ETIMEDOUT: 'does not answer',
  ECONNREFUSED: 'nobody answers there',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  ENOENT: 'there is no such device',
  ENXIO: 'there is no such device',
  ENODEV: 'is no clock that can be read',
  EACCES: 'the agent may not ask it',
  EPERM: 'the agent may not ask it',
};

async function checkServer(
  server: string,
  { signal, port = ntpPort, patienceMs = defaultPatienceMs }: CheckTimeOptions,
): Promise<CheckedTime> {
  const address = await addressOf(server);
  signal?.throwIfAborted();
  const answer = await askTime({
    address,
    port,
    patienceMs,
    packet: ntpQuestion(),
    ...(signal !== undefined && { signal }),
  });
  return { server, address, ...readNtpAnswer(answer.packet, { server, ...answer }) };
}

async function addressOf(server: string): Promise<string> {
  const isName = server.length <= 253 && /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/u.test(server);
  if (isIP(server) !== 0) return server;
  if (!isName)
    throw new HostError('ERR_HOST_VALUE', JSON.stringify(server), 'is neither a server nor /dev/ptp0');
  try {
    return (await lookup(server)).address;
  } catch (cause) {
    throw new HostError('ERR_HOST_TIME', server, `has no address (${codeOf(cause) ?? 'unknown'})`, { cause });
  }
}

async function checkClock(device: string, { signal }: CheckTimeOptions): Promise<CheckedTime> {
  if (!/^\/dev\/ptp\d{1,3}$/u.test(device))
    throw new HostError('ERR_HOST_VALUE', JSON.stringify(device), 'is neither a server nor /dev/ptp0');
  const { beforeMicros, afterMicros, deviceMicros } = await readHardwareClock(device, signal);
  const localMicros = (beforeMicros + afterMicros) / 2;
  return {
    server: device,
    address: '',
    localMicros: Math.round(localMicros),
    remoteMicros: Math.round(deviceMicros),
    offsetMicros: Math.round(deviceMicros - localMicros),
    roundTripMicros: Math.round(afterMicros - beforeMicros),
    stratum: 0,
  };
}
