import { randomBytes } from 'node:crypto';

import { HostError } from './errors.ts';

const packetBytes = 48;
const [receiveOffset, transmitOffset] = [32, 40];
/** Version 4, and from a client (RFC 5905, section 7.3). */
const clientHeader = 0x23;
const serverMode = 4;
/** Seconds from 1900 to 1970. */
const epochSeconds = 2_208_988_800;
const eraSeconds = 2 ** 32;

/** One question of NTP. In the place of our time stands what nobody can guess: the answer repeats it. */
export function ntpQuestion(random: (bytes: number) => Buffer = randomBytes): Buffer {
  const packet = Buffer.alloc(packetBytes);
  packet[0] = clientHeader;
  random(8).copy(packet, transmitOffset);
  return packet;
}

/** What a server of time says. */
export type NtpAnswer = {
  /** Its clock at the moment of `localMicros`, as far as that can be known: half of the way is taken for each direction. */
  readonly remoteMicros: number;
  /** Ours when the answer came, in microseconds since the Unix epoch. */
  readonly localMicros: number;
  /** What has to be added to our clock. */
  readonly offsetMicros: number;
  /** On the way, without what the server took. */
  readonly roundTripMicros: number;
  /** 1: it has a clock of its own. */
  readonly stratum: number;
};

/**
 * Reads the answer to a question that was sent and answered at these moments of our clock.
 *
 * @throws {HostError} `ERR_HOST_TIME` for one that does not say the time, and why.
 */
export function readNtpAnswer(
  packet: Uint8Array,
  {
    server,
    sentMicros,
    receivedMicros,
  }: {
    readonly server: string;
    readonly sentMicros: number;
    readonly receivedMicros: number;
  },
): NtpAnswer {
  const refuse = (why: string): HostError => new HostError('ERR_HOST_TIME', server, why);
  if (packet.length < packetBytes) throw refuse('its answer is too short for NTP');
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  const header = bytes[0] ?? 0;
  const stratum = bytes[1] ?? 0;
  if ((header & 7) !== serverMode) throw refuse('what answers there is no server of NTP');
  // A kiss: the reference has four letters that say why it does not answer (RFC 5905, section 7.4).
  if (stratum === 0)
    throw refuse(`refuses to say the time: ${bytes.toString('latin1', 12, 16).replaceAll(/[^A-Z]/gu, '?')}`);
  if (header >> 6 === 3 || stratum > 15) throw refuse('does not know the time itself');
  const [received, transmitted] = [stampMicros(bytes, receiveOffset), stampMicros(bytes, transmitOffset)];
  if (received === undefined || transmitted === undefined || transmitted < received)
    throw refuse('its answer has no time that can be');
  const roundTripMicros = Math.max(0, receivedMicros - sentMicros - (transmitted - received));
  const offsetMicros = (received - sentMicros + (transmitted - receivedMicros)) / 2;
  return {
    remoteMicros: Math.round(receivedMicros + offsetMicros),
    localMicros: Math.round(receivedMicros),
    offsetMicros: Math.round(offsetMicros),
    roundTripMicros: Math.round(roundTripMicros),
    stratum,
  };
}

/** Microseconds since the Unix epoch, of the years 1968 to 2104; a stamp of zeros is none. */
function stampMicros(bytes: Buffer, offset: number): number | undefined {
  const seconds = bytes.readUInt32BE(offset);
  const fraction = bytes.readUInt32BE(offset + 4);
  if (seconds === 0 && fraction === 0) return undefined;
  const era = seconds < 2 ** 31 ? eraSeconds : 0;
  return (seconds + era - epochSeconds) * 1e6 + (fraction / 2 ** 32) * 1e6;
}
