import type { Part } from './input.ts';

/** A document with its head. */
export function one(kind: string, fields: Part): Part {
  return { apiVersion: 'v1alpha1', kind, ...fields };
}
