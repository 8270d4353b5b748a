import type { BrowseView } from './browse-view.ts';

/** What a screen is drawn into. */
export type Room = {
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
  /** Where the user is among the resources. */
  readonly browse: BrowseView;
  readonly nowMs: number;
  readonly intervalMs: number;
};

/** What was drawn: lines of any width and number, and how far its list goes. */
export type Body = {
  readonly lines: readonly string[];
  readonly extent: {
    readonly lines: number;
    readonly page: number;
    /** Of the rows that can be opened, where there are some. */
    readonly names?: readonly string[];
  };
};
