import type { BrowseView } from './browse-view.ts';

/**
 * Reads a cell of a table out of the spec of a resource by a JSONPath.
 *
 * @throws {Error} for a path that it does not understand.
 */
export type ColumnOf = (jsonPath: string) => (spec: unknown) => string;

/** What a screen is drawn into. */
export type Room = {
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
  /** Where the user is among the resources. */
  readonly browse: BrowseView;
  readonly columnOf: ColumnOf;
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
