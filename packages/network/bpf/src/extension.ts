/**
 * What the kernel knows about a packet beside its bytes: a load from an absolute offset at or above
 * {@link extensionBase} reads one of these (linux/filter.h, SKF_AD_*).
 */
export type Extension = {
  /** The load's `k`. */
  readonly k: number;
  /** As bpf_asm takes it after `ld`; undefined where that program has no word for it. */
  readonly assembly: string | undefined;
  /** As `tcpdump -d` prints it in brackets. */
  readonly disassembly: string;
  /** For people. */
  readonly words: string;
};

/** SKF_AD_OFF: from here on offsets are not offsets. */
export const extensionBase = 0xfffff000;
/** SKF_NET_OFF: offsets from here on count from the network header. */
export const networkBase = 0xfff00000;
/** SKF_LL_OFF: offsets from here on count from the link-layer header. */
export const linkBase = 0xffe00000;

/** `k` of each value. */
export const extension = {
  protocol: 0xfffff000,
  packetType: 0xfffff004,
  interfaceIndex: 0xfffff008,
  attribute: 0xfffff00c,
  nestedAttribute: 0xfffff010,
  mark: 0xfffff014,
  queue: 0xfffff018,
  hardwareType: 0xfffff01c,
  receiveHash: 0xfffff020,
  cpu: 0xfffff024,
  xorX: 0xfffff028,
  vlanTag: 0xfffff02c,
  vlanPresent: 0xfffff030,
  payloadOffset: 0xfffff034,
  random: 0xfffff038,
  vlanProtocol: 0xfffff03c,
} as const;

function row(k: number, assembly: string | undefined, disassembly: string, words: string): Extension {
  return { k, assembly, disassembly, words };
}

export const extensions: readonly Extension[] = [
  row(extension.protocol, 'proto', 'proto', 'protocol of the frame'),
  row(extension.packetType, 'type', 'type', 'packet type'),
  row(extension.interfaceIndex, 'ifidx', 'ifidx', 'interface index'),
  row(extension.attribute, 'nla', 'nla', 'offset of netlink attribute X'),
  row(extension.nestedAttribute, 'nlan', 'nlan', 'offset of nested netlink attribute X'),
  row(extension.mark, 'mark', 'mark', 'mark'),
  row(extension.queue, 'queue', 'queue', 'receive queue'),
  row(extension.hardwareType, 'hatype', 'hatype', 'hardware type'),
  row(extension.receiveHash, 'rxhash', 'rxhash', 'receive hash'),
  row(extension.cpu, 'cpu', 'cpu', 'processor'),
  row(extension.xorX, undefined, 'xor_x', 'A xor X'),
  row(extension.vlanTag, 'vlan_tci', 'vlan_tci', 'VLAN tag kept beside the packet'),
  row(extension.vlanPresent, 'vlan_avail', 'vlanp', 'VLAN tag beside the packet is present'),
  row(extension.payloadOffset, 'poff', 'poff', 'offset of the payload'),
  row(extension.random, 'rand', 'random', 'random number'),
  row(extension.vlanProtocol, 'vlan_tpid', 'vlan_tpid', 'protocol of the VLAN tag beside the packet'),
];

const byK = new Map(extensions.map((entry) => [entry.k, entry]));
const names = new Map<string, Extension>([
  ...extensions.flatMap((entry) => [
    [entry.disassembly, entry] as const,
    [entry.assembly ?? entry.disassembly, entry] as const,
  ]),
  ...extensions
    .filter((entry) => entry.k === extension.vlanPresent)
    .map((entry) => ['vlan_pr', entry] as const),
]);

export function extensionOf(k: number): Extension | undefined {
  return byK.get(k);
}

/** By any of its names, in lower case. */
export function extensionNamed(name: string): Extension | undefined {
  return names.get(name);
}
