import { readTpm2Token, writeTpm2Token } from '@nodecore/keys';
import type { Secret } from '@nodecore/sys';
import * as tpm from '@nodecore/tpm';

/** A sealed key, with the fields of a `systemd-tpm2` token. There is no secret in it. */
export type SealedKey = Readonly<Record<string, unknown>>;

/** Keeps the key of a machine from anybody who reads its disk. */
export type KeySealer = {
  /** Proves that the key comes back before it resolves. @throws {TpmError} `ERR_TPM_NOT_FOUND` without a TPM, and others. */
  readonly seal: (key: Secret) => Promise<SealedKey>;
  /** @throws {TpmError} or {KeysError}: the key is not to be had now, or never again. */
  readonly unseal: (sealed: SealedKey) => Promise<Secret>;
};

/**
 * Seals to the TPM alone, without registers: another firmware or another release must not make another machine of the node.
 * A disk that is read elsewhere does not tell who the machine is.
 */
export function tpmSealer(open: typeof tpm.open = tpm.open): KeySealer {
  return {
    seal: async (key) => {
      await using connection = await open();
      return writeTpm2Token('nodecore-tpm2', await connection.seal(key, { pcrs: [] }));
    },
    unseal: async (sealed) => {
      const object = readTpm2Token(sealed);
      await using connection = await open();
      return await connection.unseal(object);
    },
  };
}
