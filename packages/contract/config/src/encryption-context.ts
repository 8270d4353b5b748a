import { type Vault } from './vault.ts';

export type EncryptionContext = {
  readonly vault: Vault;
  /** STATE is opened before any document can be read, so its rules are stricter. */
  readonly state: boolean;
  /** Its author accepts that a passphrase of STATE lies beside it in clear. */
  readonly allowStaticState?: boolean;
};
