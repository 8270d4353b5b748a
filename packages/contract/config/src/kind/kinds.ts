import { type DocumentKind } from '../document.ts';
import { etcFile } from './runtime/etc-file.ts';
import { staticHost } from './runtime/static-host.ts';
import { sysctl } from './runtime/sysctl.ts';
import { sysfs } from './runtime/sysfs.ts';

/** Every kind that has a description, by area. The one place that knows them all. */
const described = [
  // runtime
  etcFile,
  staticHost,
  sysctl,
  sysfs,
] as const;

type Described = (typeof described)[number];

/** Which value each kind of document reads as. */
export type Values = {
  readonly [One in Described as One['kind']]: One extends DocumentKind<string, infer Value> ? Value : never;
};

/** Every kind that has a description, by its name. */
export const kinds: ReadonlyMap<string, DocumentKind<string, unknown>> = new Map(
  described.map((one) => [one.kind, one]),
);
