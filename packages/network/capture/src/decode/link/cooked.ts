import type { Dissection } from '../dissection.ts';
import { etherTypeName } from '../names.ts';
import type { Reader } from '../reader.ts';
import { hexText, safeText } from '../text.ts';

/** The headers LINUX_SLL and LINUX_SLL2 that the kernel makes where a link has none, or where links differ. */
export type Cooked = {
  readonly protocol: 'sll' | 'sll2';
  readonly type: string;
  /** ARPHRD_ of linux/if_arp.h */
  readonly hardwareType: number;
  readonly source: string;
  /** An EtherType, or a small number of linux/if_ether.h. */
  readonly etherType: number;
  /** Index of the interface; only SLL2 has it. */
  readonly interfaceIndex?: number;
};

type CookedLineOptions = {
  readonly link?: boolean;
  readonly interfaceName?: (index: number) => string | undefined;
};

const types = ['in', 'broadcast', 'multicast', 'other host', 'out'];
const hardwareEthernet = 1;
// linux/if_ether.h
const ETH_P_802_3 = 1;
const ETH_P_802_2 = 4;

/** Reads the header that Linux makes for captures on several interfaces (LINKTYPE_LINUX_SLL). */
export function readSll(bytes: Reader, packet: Dissection<Cooked>): void {
  if (!bytes.need(16)) return;
  const type = bytes.u16();
  const hardwareType = bytes.u16();
  const length = bytes.u16();
  const source = address(bytes.take(8), length, hardwareType);
  const etherType = bytes.u16();
  packet.push({ protocol: 'sll', type: types[type] ?? String(type), hardwareType, source, etherType });
  follow(etherType, bytes, packet);
}

/** Reads its second version, which also says the interface (LINKTYPE_LINUX_SLL2). */
export function readSll2(bytes: Reader, packet: Dissection<Cooked>): void {
  if (!bytes.need(20)) return;
  const etherType = bytes.u16();
  bytes.skip(2);
  const interfaceIndex = bytes.u32();
  const hardwareType = bytes.u16();
  const type = bytes.u8();
  const length = bytes.u8();
  const source = address(bytes.take(8), length, hardwareType);
  packet.push({
    protocol: 'sll2',
    type: types[type] ?? String(type),
    hardwareType,
    source,
    etherType,
    interfaceIndex,
  });
  follow(etherType, bytes, packet);
}

function address(field: Uint8Array, length: number, hardwareType: number): string {
  const text = hexText(field.subarray(0, Math.min(length, 8)));
  return hardwareType === hardwareEthernet || length === 6 ? text.replace(/..(?=.)/g, '$&:') : text;
}

function follow(etherType: number, bytes: Reader, packet: Dissection<Cooked>): void {
  if (etherType === ETH_P_802_2 || etherType === ETH_P_802_3) packet.next('llc', 0, bytes);
  else packet.next('etherType', etherType, bytes);
}

const encoder = new TextEncoder();
/** Linux's IFNAMSIZ is 16; other systems have longer names. */
const longestInterface = 32;

/** `eth0 in`, or `if 2 in` without a name; the EtherType only where link headers are wanted. */
export function cookedLine(cooked: Cooked, options: CookedLineOptions): string {
  const { interfaceIndex: index, type, source, etherType } = cooked;
  const name = index === undefined ? undefined : options.interfaceName?.(index);
  const shown = name === undefined ? `if ${index}` : safeText(encoder.encode(name), longestInterface);
  const where = index === undefined ? type : `${shown} ${type}`;
  return options.link === true ? `${where} ${source}, ethertype ${etherTypeName(etherType)},` : where;
}
