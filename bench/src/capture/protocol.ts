/** What a stage is asked to measure. */
export type Run = {
  readonly side: 'ours' | 'tcpdump';
  /** Write packets, find the 5-tuple of each in JavaScript, or do so where the kernel wrote them. tcpdump writes. */
  readonly kind: 'write' | 'decode' | 'lent';
  readonly sink: 'file' | 'null';
  readonly frameBytes: number;
  /** Frames that come before what is measured. */
  readonly warmUp: number;
  /** Frames that are measured. */
  readonly count: number;
  readonly perSecond: number;
  /** How many of the frames go to the port that `filter` may ask for. */
  readonly percent: number;
  readonly filter: string;
};

export type Measured = {
  /** The warm-up included. */
  readonly packets: number;
  readonly dropped: number;
  /** Processor time of the receiver per frame that came in. */
  readonly nsPerPacket: number;
  readonly perSecond: number;
};
