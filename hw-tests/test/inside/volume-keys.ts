/**
 * Runs in a machine: does what standard input says to volumes and their keys, and prints what came of it. One JSON array per
 * line, in both directions.
 */
import { createInterface } from 'node:readline';

import { KeysError, type KeyContext, luksKeyslots, synchronise, unlock } from '@nodecore/keys';
import * as luks from '@nodecore/luks';
import { codeOf, Secret } from '@nodecore/sys';
import * as tpm from '@nodecore/tpm';

import { cheap, identity, keySpec, type Opened, type PlainSpec } from '../key-specs.ts';

export type Request =
  /** Makes a volume with one key. */
  | { readonly do: 'format'; readonly device: string; readonly passphrase: string; readonly slot: number }
  /** Opens it with the first key that works, and brings the keyslots in line where `synchronise` says so. */
  | {
      readonly do: 'open';
      readonly device: string;
      readonly specs: readonly PlainSpec[];
      readonly synchronise?: boolean;
    }
  /** Seals with a PIN and gives wrong ones until the TPM refuses to look at any. */
  | { readonly do: 'guess-pins'; readonly tries: number };

export type Guesses = { readonly codes: readonly string[]; readonly last: string };

const context: KeyContext = {
  ...identity,
  tpm: (options) => tpm.open(options),
  tpmSignatures: () => tpm.pcrSignatures(),
  secureBoot: () => tpm.secureBoot(),
};

async function format({ device, passphrase, slot }: Extract<Request, { do: 'format' }>): Promise<undefined> {
  using key = Secret.copy(Buffer.from(passphrase));
  await luks.format(device, { key, slot, pbkdf: cheap, overwrite: true });
}

async function open(request: Extract<Request, { do: 'open' }>): Promise<Opened> {
  const specs = request.specs.map(keySpec);
  const store = luksKeyslots(request.device, { pbkdf: cheap });
  try {
    using unlocked = await unlock(store, specs, context);
    const { slot, spec, key, failures } = unlocked;
    const opener = { slot, kind: spec.kind };
    if (request.synchronise !== true) return { opener, failures };
    return { opener, failures, report: await synchronise(store, specs, context, { slot, key }) };
  } catch (error) {
    if (error instanceof KeysError && error.code === 'ERR_KEYS_NONE') return { failures: error.failures };
    throw error;
  }
}

async function guessPins({ tries }: Extract<Request, { do: 'guess-pins' }>): Promise<Guesses> {
  await using chip = await tpm.open();
  using secret = Secret.random(32);
  using pin = Secret.copy(Buffer.from('2718'));
  const sealed = await chip.seal(secret, { pcrs: [7], pin });
  const codes: string[] = [];
  let last = '';
  for (let guess = 0; guess < tries; guess += 1) {
    using wrong = Secret.copy(Buffer.from(`000${guess}`));
    try {
      using _ = await chip.unseal(sealed, { pin: wrong });
      codes.push('opened');
    } catch (error) {
      codes.push(String(codeOf(error)));
      last = String(error);
    }
  }
  return { codes, last };
}

async function answer(request: Request): Promise<unknown> {
  if (request.do === 'format') return await format(request);
  if (request.do === 'open') return await open(request);
  return await guessPins(request);
}

for await (const line of createInterface({ input: process.stdin })) {
  const answers: unknown[] = [];
  for (const request of JSON.parse(line) as readonly Request[]) answers.push((await answer(request)) ?? null);
  console.log(JSON.stringify(answers));
}
