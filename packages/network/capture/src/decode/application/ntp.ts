import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexText, latinText } from '../text.ts';

/** Network time (RFC 5905); control and private messages by mode and length. */
export type Ntp = {
  readonly protocol: 'ntp';
  readonly version: number;
  readonly mode: number;
  readonly leap: number;
  readonly stratum?: number;
  /** Exponents of 2, in seconds. */
  readonly poll?: number;
  readonly precision?: number;
  /** Seconds. */
  readonly rootDelay?: number;
  readonly rootDispersion?: number;
  /** Four letters where the clock is next to it, else an address or a hash. */
  readonly referenceId?: string;
  /** Seconds since 1900, with nine digits. */
  readonly reference?: string;
  readonly originate?: string;
  readonly receive?: string;
  readonly transmit?: string;
  readonly length: number;
};

const modes = [
  'Reserved',
  'Symmetric Active',
  'Symmetric Passive',
  'Client',
  'Server',
  'Broadcast',
  'Control Message',
  'Private',
];
const control = 6;

/** Reads a message of the network time protocol. */
export function readNtp(bytes: Reader, packet: Dissection<Ntp>): void {
  const length = bytes.wireLeft;
  const first = bytes.u8();
  const common = {
    protocol: 'ntp',
    version: (first >> 3) & 7,
    mode: first & 7,
    leap: first >> 6,
    length,
  } as const;
  if (bytes.short || common.mode >= control) {
    if (!bytes.short) packet.push(common);
    return;
  }
  if (!bytes.need(47)) return;
  const stratum = bytes.u8();
  packet.push({
    ...common,
    stratum,
    poll: signed(bytes.u8()),
    precision: signed(bytes.u8()),
    rootDelay: bytes.u32() / 65_536,
    rootDispersion: bytes.u32() / 65_536,
    referenceId: referenceText(stratum, bytes),
    reference: stamp(bytes),
    originate: stamp(bytes),
    receive: stamp(bytes),
    transmit: stamp(bytes),
  });
}

function signed(byte: number): number {
  return byte > 127 ? byte - 256 : byte;
}

function referenceText(stratum: number, bytes: Reader): string {
  if (stratum > 1) return bytes.ipv4();
  const letters = bytes.take(4);
  const text = latinText(letters).replace(/\0+$/, '');
  return /^[\w.-]*$/.test(text) ? text : hexText(letters);
}

function stamp(bytes: Reader): string {
  const seconds = bytes.u32();
  const fraction = Math.floor((bytes.u32() / 2 ** 32) * 1e9);
  return `${seconds}.${String(fraction).padStart(9, '0')}`;
}

/** `NTPv4, Client, length 48`; from verbose 1 on also what the clock says of itself. */
export function ntpLine(ntp: Ntp, verbose: number): string {
  const head = `NTPv${ntp.version}, ${modes[ntp.mode]}, length ${ntp.length}`;
  if (verbose === 0 || ntp.stratum === undefined) return head;
  const clock = `stratum ${ntp.stratum}, poll ${ntp.poll}, precision ${ntp.precision}`;
  const root = `root delay ${ntp.rootDelay?.toFixed(6)}, root dispersion ${ntp.rootDispersion?.toFixed(6)}`;
  const leap = ntp.leap === 0 ? '' : `, leap ${ntp.leap}`;
  return `${head}${leap}, ${clock}, ${root}, reference ${ntp.referenceId}, transmit ${ntp.transmit}`;
}
