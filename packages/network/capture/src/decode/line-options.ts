/** What a line of text says of a packet, and how. */
export type LineOptions = {
  /** 0: what happened. 1: also headers, checksums, names in answers. 2: everything that is decoded. Default 0. */
  readonly verbose?: 0 | 1 | 2;
  /** Local time of day, seconds since the packet before, seconds since the epoch, or nothing. Default `absolute`. */
  readonly time?: 'absolute' | 'delta' | 'epoch' | 'none';
  /** Service names in place of well-known port numbers. */
  readonly names?: boolean;
  /** Link headers: addresses, EtherType, length. */
  readonly link?: boolean;
  /** Names of interfaces by their index, for captures on several (SLL2). */
  readonly interfaceName?: (index: number) => string | undefined;
};
