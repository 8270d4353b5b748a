import type { TpmConnection } from '@nodecore/native';

import type { PcrReader } from './pcr-reader.ts';

/** What a request works with. */
export type TpmContext = {
  readonly connection: TpmConnection;
  /** How the TPM is named in errors. */
  readonly address: string;
  /** Path of the log of what was measured into it. */
  readonly log: string | undefined;
  readonly registers: PcrReader;
};
