import type { Secret } from '@nodecore/sys';

/** Whom a connection trusts, and who we are on it. */
export type PeerOptions = {
  /** Authorities in PEM that are trusted beside those of Node.js (its own, `NODE_EXTRA_CA_CERTS`, `--use-system-ca`). */
  readonly roots?: readonly string[] | undefined;
  /** Who we are: a certificate in PEM, with what it is signed by after it, and its key, also PEM. Read once per connection. */
  readonly identity?: { readonly certificate: string; readonly key: Secret } | undefined;
  /** The name that the server's certificate must have; that of the endpoint by default. */
  readonly serverName?: string | undefined;
};
