import type { Component } from '../component.ts';

/** What one part of a product is made of, and what the part is called. */
export type Contents = {
  readonly part: Component;
  readonly components: readonly Component[];
};

/** A document that says what a product is made of. */
export type Bill = {
  readonly name: string;
  /** A URL of this document alone. */
  readonly namespace: string;
  /** As `2026-11-22T00:00:00Z`. */
  readonly created: string;
  readonly product: Component;
  readonly contents: readonly Contents[];
};
