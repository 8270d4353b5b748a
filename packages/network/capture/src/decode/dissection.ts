import type { FlowTable } from './flows.ts';
import type { FragmentTable } from './fragments.ts';
import type { Faults } from './faults.ts';
import type { Reader } from './reader.ts';

/** By what the next protocol is found. */
export type Table =
  | 'link' // link type of the capture
  | 'etherType'
  | 'llc' // service access points and what they carry
  | 'snap' // protocol numbers of organisations
  | 'ppp'
  | 'ip' // the version in the first half byte
  | 'ipProtocol'
  | 'tcp' // ports of the dissection, then what the bytes look like
  | 'udp'
  | 'none'; // no protocol is known to follow

/** What all layers have. The union of them is above this file: a protocol knows its own layers only. */
export type AnyLayer = { readonly protocol: string };

/** Reads one protocol: adds its layer, and says what follows. */
export type Protocol<L extends AnyLayer> = {
  readonly name: string;
  readonly dissect: (bytes: Reader, packet: Dissection<L, L>) => void;
};

/**
 * What the protocols of one packet tell each other. `Added` are the layers that may be added, so that a protocol says by
 * its signature which ones it adds; `Found` are those that come back, for messages that quote a packet.
 */
export class Dissection<in Added extends AnyLayer, out Found extends AnyLayer = AnyLayer> {
  readonly faults: Faults;
  readonly flows: FlowTable;
  readonly fragments: FragmentTable;
  /** Whether checksums that cover the payload are verified. */
  readonly checksums: boolean;
  /** Where layers go: the packet, or the packet that an error message quotes. */
  layers: readonly Found[] = [];

  /** Of the innermost network layer. */
  source = '';
  destination = '';
  /** Sum of the words of both addresses, for the transport's checksum. */
  addressSum = 0;
  /** The part of an IPv6 destination in it. */
  destinationSum = 0;
  /** The innermost network layer is a fragment: the transport is not whole. */
  fragment = false;
  /** Set in a first fragment, whose ports are to be remembered for the others. */
  fragmentKey: string | undefined;
  /** An error message quotes these layers: they say nothing about flows, and end where the quote does. */
  quoted = false;
  /** Of the innermost transport. */
  sourcePort = 0;
  destinationPort = 0;

  table: Table | undefined;
  key = 0;
  bytes: Reader | undefined;

  constructor(faults: Faults, flows: FlowTable, fragments: FragmentTable, checksums: boolean) {
    this.faults = faults;
    this.flows = flows;
    this.fragments = fragments;
    this.checksums = checksums;
  }

  /** Adds a layer to the packet, or to the quoted one. */
  push(layer: Added): void {
    // Who makes a dissection gives it one union for both.
    (this.layers as readonly AnyLayer[] as AnyLayer[]).push(layer);
  }

  /** Ports of the innermost transport; those of a first fragment are remembered for the others. */
  setPorts(sourcePort: number, destinationPort: number): void {
    this.sourcePort = sourcePort;
    this.destinationPort = destinationPort;
    if (this.fragmentKey === undefined) return;
    this.fragments.remember(this.fragmentKey, { sourcePort, destinationPort });
    this.fragmentKey = undefined;
  }

  /** Says what follows; without bytes left nothing does. */
  next(table: Table, key: number, bytes: Reader): void {
    if (bytes.wireLeft <= 0) return;
    this.table = table;
    this.key = key;
    this.bytes = bytes;
  }

  /** Adds a message about the packet that is the rest of the bytes: its layers go into the message's. */
  pushQuoting(
    messageOf: (quoted: readonly Found[]) => Added,
    table: Table,
    key: number,
    bytes: Reader,
  ): void {
    const quoted: readonly Found[] = [];
    this.push(messageOf(quoted));
    this.layers = quoted;
    this.quoted = true;
    this.next(table, key, bytes.part(bytes.wireLeft, true));
  }
}
