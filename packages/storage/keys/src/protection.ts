import type { TokenJson } from '@nodecore/luks';
import type { SealedObject } from '@nodecore/tpm';

import type { KeySpec } from './key-spec.ts';
import { guardOf } from './token/guard.ts';
import { readTalosTpm2Token } from './token/talos-tpm2-token.ts';
import { readTpm2Token } from './token/tpm2-token.ts';

const state = 'STATE';

/** What must be there for a key to be had, in words: by its token, or by its kind where it has none. */
export function protectionOf(spec: KeySpec, token: TokenJson | undefined): readonly string[] {
  if (token === undefined)
    return [spec.kind === 'nodeID' ? 'the UUID of the node' : 'a passphrase', ...lock(spec)];
  switch (token.type) {
    case 'nodecore-kms':
    case 'sideroKMS': {
      const { endpoint } = token;
      return [`the key server${typeof endpoint === 'string' ? ` ${endpoint}` : ''}`, ...lock(spec)];
    }
    case 'nodecore-tpm2':
      return [...ofTpm(token), state];
    case 'systemd-tpm2':
    case 'talos-tpm2':
      return ofTpm(token);
    default:
      return [`what a token of type ${token.type} asks for`];
  }
}

/** Whether a key was locked does not show in every token: taken to be as it is configured. */
function lock({ lockToState }: KeySpec): readonly string[] {
  return lockToState === true ? [state] : [];
}

function ofTpm(token: TokenJson): readonly string[] {
  const guard = guardOf(token);
  const guards = guard === undefined ? [] : [guard];
  const sealed = tryRead(token);
  if (sealed === undefined) return ['the TPM', ...guards];
  const { pcrs, bank, publicKey, publicKeyPcrs } = sealed;
  const weak = bank === 'sha1' ? ' (sha1)' : '';
  const signed = publicKey === undefined ? [] : publicKeyPcrs.map((pcr) => `a signed value of PCR ${pcr}`);
  return ['the TPM', ...pcrs.map((pcr) => `PCR ${pcr}${weak} as it is`), ...signed, ...guards];
}

/** What can't be read is as good as a TPM alone. */
function tryRead(token: TokenJson): SealedObject | undefined {
  try {
    // The key of the boot image says nothing here.
    return token.type === 'talos-tpm2' ? readTalosTpm2Token(token, Buffer.alloc(1)) : readTpm2Token(token);
  } catch {
    return undefined;
  }
}
