import type { Flood } from './flood.ts';

/** What is asked of the way that packets take from a node to a user, over TLS with certificates on both sides. */
export type RemoteRun = Flood & {
  /** The agent and `osctl pcap`, or tcpdump into a TLS connection between two openssl programs. */
  readonly side: 'ours' | 'tcpdump';
  /** Where the user wants them: `/dev/null`, or a new file. */
  readonly path: string;
  readonly warmUp: number;
  readonly count: number;
};

export type RemoteMeasured = {
  /** That the user has, warm-up included. */
  readonly packets: number;
  /** Processor time for each of `count` packets, of all programs on the node. */
  readonly nodeNs: number;
  /** The same of the user's. */
  readonly userNs: number;
  /** In a file: from the first of `count` until the user has nearly all of them, for each. */
  readonly arrivalNs?: number;
};
