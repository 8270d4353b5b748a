/** What a number counts. */
export type SourceUnit = 'bytes' | 'microseconds' | 'percent' | 'count' | 'flag' | 'text';

/** A number behind a column: where it stands, and what it is. */
export type ColumnSource = {
  /** For JSON: `memoryCurrentBytes`. */
  readonly key: string;
  readonly file: string;
  /** First word of the line; none for files with one value. */
  readonly line?: string;
  /** Name of the value in the line, or which word of the first line it is. */
  readonly part?: string;
  readonly unit: SourceUnit;
  /** Whether it only grows, so that a rate makes sense. */
  readonly counter?: boolean;
  /** One per device: `line` is the device then. */
  readonly perDevice?: boolean;
};
