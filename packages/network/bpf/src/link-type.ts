import { BpfError } from './errors.ts';
import { fileNumbers, linkTypeTable } from './link-type-table.ts';

/** What the first bytes of a packet are. */
export type LinkType = {
  /** As `tcpdump -y` takes it: `EN10MB`, `RAW`, `LINUX_SLL2`. */
  readonly name: string;
  /** libpcap's number (DLT), which its compiler takes. */
  readonly dlt: number;
  /** The number in pcap and pcapng files (LINKTYPE). */
  readonly fileNumber: number;
};

const linkTypes: readonly LinkType[] = linkTypeTable.map(([name, dlt]) =>
  Object.freeze({ name, dlt, fileNumber: fileNumbers.get(dlt) ?? dlt }),
);
const byName = new Map(linkTypes.map((type) => [type.name, type]));
const byDlt = new Map(linkTypes.map((type) => [type.dlt, type]));
const byFileNumber = new Map(linkTypes.map((type) => [type.fileNumber, type]));

/**
 * A link type by its name, in any case and with or without `DLT_` or `LINKTYPE_`; `ETHERNET` is `EN10MB`.
 *
 * @throws {BpfError} `ERR_BPF_LINK_TYPE`
 */
export function linkType(name: string): LinkType {
  const plain = name.toUpperCase().replace(/^(DLT|LINKTYPE)_/, '');
  const found = byName.get(plain === 'ETHERNET' ? 'EN10MB' : plain);
  if (found !== undefined) return found;
  throw new BpfError('ERR_BPF_LINK_TYPE', `there is no link type ${JSON.stringify(name)}`, { token: name });
}

/** The link type with this DLT; undefined when it has no name. */
export function linkTypeOfDlt(dlt: number): LinkType | undefined {
  return byDlt.get(dlt);
}

/** The link type with this number in a capture file; undefined when it has no name. */
export function linkTypeOfFile(fileNumber: number): LinkType | undefined {
  return byFileNumber.get(fileNumber);
}

/** Every link type with a name, by DLT. */
export function allLinkTypes(): readonly LinkType[] {
  return linkTypes;
}
