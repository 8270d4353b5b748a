/** Names and values by turns. */
export type AddonHeaders = readonly string[];

/** How a call has ended, or what is known so far. */
export type AddonHttp2End = {
  readonly headers: AddonHeaders;
  readonly trailers: AddonHeaders;
  readonly closedWith: number;
  readonly violation: string;
};

export type AddonHttp2Call = {
  /** Takes the first `bytes` of the buffer; says how many of content it has put at the beginning of `into`. */
  feed(buffer: Uint8Array, bytes: number, into: Uint8Array): number;
  consume(bytes: number): void;
  ping(): void;
  /** Bits: 1 there is output, 2 it is over. */
  signs(): number;
  output(): Buffer;
  end(): AddonHttp2End;
};

/** The exports for calls whose connection JavaScript has. */
export type Http2Addon = {
  readonly Http2Call: new (
    scheme: string,
    authority: string,
    path: string,
    body: Uint8Array,
    metadata: AddonHeaders,
    windowBytes: number,
  ) => AddonHttp2Call;
};
