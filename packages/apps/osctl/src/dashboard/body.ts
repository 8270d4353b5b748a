/** What a screen is drawn into. */
export type Room = {
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
  readonly nowMs: number;
  readonly intervalMs: number;
};

/** What was drawn: lines of any width and number, and how far its list goes. */
export type Body = {
  readonly lines: readonly string[];
  readonly extent: { readonly lines: number; readonly page: number };
};
