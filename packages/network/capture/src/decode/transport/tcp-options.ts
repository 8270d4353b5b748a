import type { Reader } from '../reader.ts';
import { hexText } from '../text.ts';

/** An option of a TCP header; IANA's registry of TCP option kinds. */
export type TcpOption = {
  readonly kind: number;
  readonly name: string;
  /** Of `mss` and `wscale`. */
  readonly value?: number;
  /** Of `TS`. */
  readonly timestamp?: number;
  readonly echo?: number;
  /** Left and right edges of `sack`, as they are. */
  readonly blocks?: readonly (readonly [number, number])[];
  /** The subtype of `mptcp`. */
  readonly subtype?: string;
  readonly hex?: string;
};

const end: TcpOption = Object.freeze({ kind: 0, name: 'eol' });
const padding: TcpOption = Object.freeze({ kind: 1, name: 'nop' });
const sackPermitted: TcpOption = Object.freeze({ kind: 4, name: 'sackOK' });

const otherNames: ReadonlyMap<number, string> = new Map([
  [19, 'md5'],
  [28, 'user timeout'],
  [29, 'tcp-ao'],
  [34, 'tfo'],
  [172, 'accecn0'],
  [174, 'accecn1'],
  [253, 'experiment'],
  [254, 'experiment'],
]);

/** RFC 8684, section 8 */
const multipath: readonly string[] = [
  'capable',
  'join',
  'dss',
  'add-addr',
  'rem-addr',
  'prio',
  'fail',
  'fast-close',
  'reset',
];

/** Reads the options of a header, padding included; one shorter than its own two bytes damages the packet. */
export function readTcpOptions(bytes: Reader): readonly TcpOption[] {
  const options: TcpOption[] = [];
  while (bytes.wireLeft > 0 && bytes.need(1)) {
    const kind = bytes.u8();
    if (kind === 0) {
      options.push(end);
      break;
    }
    if (kind === 1) options.push(padding);
    else {
      const size = bytes.u8();
      if (bytes.short) break;
      if (size < 2) {
        bytes.damage(`option ${kind} of ${size} bytes`);
        break;
      }
      options.push(readOption(kind, bytes.slice(size - 2)));
    }
  }
  return options;
}

function readOption(kind: number, value: Reader): TcpOption {
  if (kind === 2) return { kind, name: 'mss', value: value.u16() };
  if (kind === 3) return { kind, name: 'wscale', value: value.u8() };
  if (kind === 4) return sackPermitted;
  if (kind === 5) {
    const blocks: [number, number][] = [];
    while (value.left >= 8) blocks.push([value.u32(), value.u32()]);
    return { kind, name: 'sack', blocks };
  }
  if (kind === 8) return { kind, name: 'TS', timestamp: value.u32(), echo: value.u32() };
  if (kind === 30) {
    const subtype = (value.peek() ?? 0) >> 4;
    return { kind, name: 'mptcp', subtype: multipath[subtype] ?? String(subtype) };
  }
  return { kind, name: otherNames.get(kind) ?? `unknown-${kind}`, hex: hexText(value.take(value.left)) };
}

/** `base` is subtracted from edges of blocks: the relative beginning of the other direction. */
export function tcpOptionText(option: TcpOption, base: number): string {
  const { kind, name, value, timestamp, echo, blocks, subtype, hex } = option;
  if (timestamp !== undefined) return `TS val ${timestamp} ecr ${echo}`;
  if (value !== undefined) return `${name} ${value}`;
  if (blocks !== undefined) {
    const edges = blocks.map(([left, right]) => `{${(left - base) >>> 0}:${(right - base) >>> 0}}`);
    return `sack ${blocks.length} ${edges.join('')}`;
  }
  if (subtype !== undefined) return `mptcp ${subtype}`;
  if (kind === 34) return hex === '' ? 'tfo cookiereq' : `tfo cookie ${hex}`;
  return hex === undefined || hex === '' ? name : `${name} ${hex}`;
}
