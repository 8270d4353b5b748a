import { applicationPackets } from './corpus-application.ts';
import { linkPackets } from './corpus-link.ts';
import { networkPackets } from './corpus-network.ts';
import { transportPackets } from './corpus-transport.ts';

/** A packet of every protocol that is decoded, made from fields. */
export type Sample = {
  readonly name: string;
  readonly linkType: number;
  readonly data: Uint8Array;
  /** Names of our layers, those that an error message quotes included. */
  readonly stack: string;
};

export const corpus: readonly Sample[] = [
  ...linkPackets,
  ...networkPackets,
  ...transportPackets,
  ...applicationPackets,
].map(([name, stack, data, linkType = 1]) => ({ name, stack, data, linkType }));
