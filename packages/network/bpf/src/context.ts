/** What the kernel knows about a packet beside its bytes. */
export type Context = {
  /** Length on the wire when only the beginning of the packet is there; the number of bytes by default. */
  readonly length?: number;
  /** The VLAN tag that the network card or the kernel took out of the frame; absent when there was none. */
  readonly vlan?: {
    /** Priority, drop eligibility and VLAN number, 16 bits. */
    readonly tag: number;
    /** 0x8100 by default. */
    readonly protocol?: number;
  };
  /** EtherType as the kernel sees it; 0 by default. */
  readonly protocol?: number;
  /** PACKET_HOST 0 (the default), BROADCAST 1, MULTICAST 2, OTHERHOST 3, OUTGOING 4. */
  readonly packetType?: number;
  /** The interface; a program that asks for one that is absent ends. */
  readonly interfaceIndex?: number;
  /** ARPHRD_*; a program that asks for it without an interface ends. */
  readonly hardwareType?: number;
  readonly mark?: number;
  readonly queue?: number;
  readonly receiveHash?: number;
  readonly cpu?: number;
  readonly random?: number;
  /** Where the payload of the innermost header begins; 0, the kernel's answer when it can't tell, by default. */
  readonly payloadOffset?: number;
  /** Where the network header begins; loads that count from it find nothing when it is absent. */
  readonly networkOffset?: number;
  /** Where the link-layer header begins; 0 by default. Before the bytes, which is below 0, loads find nothing. */
  readonly linkOffset?: number;
};
