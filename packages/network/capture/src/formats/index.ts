export { pcapHeader } from './pcap-header.ts';
export {
  pcapngHeader,
  pcapngStatistics,
  type PcapngInterface,
  type PcapngStatistics,
} from './pcapng-blocks.ts';
export { ownerComment, type PacketOwner, readOwner } from './packet-owner.ts';
export { pcapngPackets } from './pcapng-packets.ts';
export { CaptureReader } from './reader.ts';
export { type FileInterface, type FilePacket, type FileStatistics } from './record.ts';
