import type { SocketAddress } from '@nodecore/sys';

/** An image factory, and how the fleet is known there. */
export type FactoryPlace = {
  /** `https://host`, or with a path. */
  readonly url: URL;
  /** A file with a token, read at each request: it is exchanged without a restart. */
  readonly tokenFile?: string;
};

/** What a fleet manager is started with. */
export type FleetConfiguration = {
  readonly listen: SocketAddress;
  /** `https://host:port` that clients and machines reach it by; its host is in the certificate. */
  readonly advertisedUrl: URL;
  /** File of the state; the certificate's authority is kept beside it. */
  readonly stateFile: string;
  /** File with the 32 bytes that what is sensitive in the state is sealed with, made when it is not there; `STATE.key` unless given. */
  readonly stateKey?: string;
  /** Files of keys that the state may be sealed with still; it is sealed anew with the one above. */
  readonly formerStateKeys?: readonly string[];
  /** PEM files in place of a certificate that is made here. */
  readonly certificate?: { readonly crt: string; readonly key: string };
  /** Image factories, the one that is asked first before the other. */
  readonly factories?: readonly FactoryPlace[];
  /** E-mail address of an administrator, who gets in by a code that is printed once. */
  readonly initialUser?: string;
  /** A service account with the role Admin; its key is written there, mode 0600, when there is no account yet. */
  readonly initialServiceAccount?: { readonly name: string; readonly keyPath: string };
};
