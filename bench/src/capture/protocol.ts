/** What a stage is asked to measure. */
export type Run = {
  readonly side: 'ours' | 'tcpdump' | 'cap';
  /**
   * Write packets, find the 5-tuple of each in JavaScript, or do so where the kernel wrote them; `prompt` hands packets
   * over after a millisecond and says how late they are; `stop` is told to stop in the middle. tcpdump writes, cap decodes.
   */
  readonly kind: 'write' | 'decode' | 'lent' | 'prompt' | 'stop';
  readonly sink: 'file' | 'null';
  readonly frameBytes: number;
  /** Frames that come before what is measured. */
  readonly warmUp: number;
  /** Frames that are measured. */
  readonly count: number;
  readonly perSecond: number;
  /**
   * `bursts`: as cheap for the kernel as a million a second has to be, but it waits for a grace period of RCU, 10 ms and
   * more, after what came in at once (`live_flood`). `even`: sent through the wire, at most 64 at once (`flood`).
   */
  readonly arrival: 'bursts' | 'even';
  /** How many of the frames go to the port that `filter` may ask for; all where they arrive evenly. */
  readonly percent: number;
  readonly filter: string;
};

/** What a receiver says of itself, up to now. */
export type Told = {
  readonly packets: number;
  readonly dropped: number;
  /** 99th percentile since it was asked before, of `prompt`: from the packet's time to JavaScript's. */
  readonly latencyMs?: number;
  /** 99th percentile of the event loop's delay since it was asked before, of `prompt`. */
  readonly loopDelayMs?: number;
  /** From the word to the end of the packets, of `stop`. */
  readonly stopMs?: number;
};

export type Measured = Told & {
  /** Processor time of the receiver per frame that came in; of cap: per frame that reached it. */
  readonly nsPerPacket: number;
  readonly perSecond: number;
  /** The loop's delay before the packets, of `prompt`. */
  readonly idleDelayMs?: number;
};
