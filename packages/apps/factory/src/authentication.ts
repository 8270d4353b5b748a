import type { OidcOptions } from './oidc/options.ts';
import { defaultLifetimes, type Lifetimes } from './tokens/lifetime.ts';

/** How a factory knows its callers. */
export type Authentication = {
  /** PEM files: the first one signs tokens, the others verify. Empty: a key that ends with the process. */
  readonly keyPaths: readonly string[];
  /** File of names and hashes as `htpasswd -B` makes it; who is in it may do everything that an identity can do for itself. */
  readonly htpasswdPath?: string;
  /** In place of such a file: who says who callers are. */
  readonly oidc?: OidcOptions;
  /** How many stored tokens an identity may have. */
  readonly maxPerSubject: number;
  readonly lifetimes: Lifetimes;
  /** Whether schematics without an owner are for every caller. */
  readonly hasPublicSchematics: boolean;
};

export const defaultAuthentication: Authentication = {
  keyPaths: [],
  maxPerSubject: 10,
  lifetimes: defaultLifetimes,
  hasPublicSchematics: false,
};
