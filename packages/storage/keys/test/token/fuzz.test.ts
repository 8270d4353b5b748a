import { KeysError } from '../../src/index.ts';
import { journalsOf, readJournal, writeJournal } from '../../src/token/journal.ts';
import { readKmsToken, readSideroKmsToken, writeKmsToken } from '../../src/token/kms-token.ts';
import { ownershipOf, readRecord, writeRecord } from '../../src/token/record.ts';
import { readTalosTpm2Token } from '../../src/token/talos-tpm2-token.ts';
import { foreignType, tokensOf } from '../../src/token/token-kinds.ts';
import { readTpm2Token } from '../../src/token/tpm2-token.ts';
import type { Token, TokenJson } from '@nodecore/luks';
import test from 'ava';

import { type Pick, random } from '../random.ts';
import { talosToken, tpm2Token } from './samples.ts';

const publicKey = Buffer.from('PEM');
const codecs = {
  'systemd-tpm2': [tpm2Token, readTpm2Token],
  'talos-tpm2': [talosToken, (json: unknown) => readTalosTpm2Token(json, publicKey)],
  'nodecore-kms': [writeKmsToken({ sealed: Buffer.alloc(60), endpoint: 'grpc://kms:1' }), readKmsToken],
  sideroKMS: [{ type: 'sideroKMS', keyslots: [], UserData: { sealedData: 'AQID' } }, readSideroKmsToken],
  'nodecore-rotation': [
    writeJournal({ slot: 1, spare: 31, token: 4, old: [2] }),
    (json: unknown) => readJournal({ id: 9, json: json as TokenJson }),
  ],
  'nodecore-keys': [writeRecord([0, 1, 31]), readRecord],
} as const satisfies Record<string, readonly [unknown, (json: unknown) => unknown]>;

const strange: readonly unknown[] = [
  null, undefined, true, false, 0, -0, -1, 31, 32, 1e300, NaN, 0.5, '', 'x', '__proto__', '0', 'AAAA', '=', '\0',
  '\ud800', 'A'.repeat(1 << 10), '9'.repeat(400), [], [[]], [null], [31, 31], ['7'], {}, { length: 3 }, { v: {}, e: {} },
  Object.create(null), { toString: 1 }, 'constructor',
]; // prettier-ignore

/** The value with something in it changed, at any depth; nothing of the original is touched. */
function mutated(value: unknown, pick: Pick): unknown {
  if (pick(6) === 0) return strange[pick(strange.length)];
  if (typeof value === 'string') return mutatedText(value, pick);
  if (typeof value === 'number') return value + pick(65) - 32;
  if (Array.isArray(value)) {
    const copy = [...(value as unknown[])];
    const at = pick(copy.length + 1);
    if (pick(3) === 0) copy.splice(at, pick(2));
    else copy[at] = mutated(copy[at], pick);
    return copy;
  }
  if (typeof value !== 'object' || value === null) return strange[pick(strange.length)];
  const names = Object.keys(value);
  const name = names[pick(names.length)] ?? 'type';
  const copy: Record<string, unknown> = { ...value };
  if (pick(8) === 0) delete copy[name];
  else if (pick(16) === 0) copy[mutatedText(name, pick)] = copy[name];
  else copy[name] = mutated(copy[name], pick);
  return copy;
}

function mutatedText(text: string, pick: Pick): string {
  const at = pick(text.length + 1);
  if (pick(3) === 0) return text.slice(0, at);
  return text.slice(0, at) + String.fromCharCode(pick(256)) + text.slice(at + pick(3));
}

const inputs = 1_000_000;
/** Where an error was made is not asked here, and takes most of the time. */
Error.stackTraceLimit = 0;

test('a million damaged tokens are read, or refused with an error of ours', (t) => {
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1e9);
  t.log(`FUZZ_SEED=${seed}`);
  const pick = random(seed);
  const entries = Object.entries(codecs);
  const outcomes = { read: 0, refused: 0 };
  for (let count = 0; count < inputs; count += 1) {
    const entry = entries[count % entries.length];
    if (entry === undefined) throw new TypeError('no codec');
    const [type, [sample, read]] = entry;
    let json: unknown = sample;
    for (let changes = pick(3); changes >= 0; changes -= 1) json = mutated(json, pick);
    try {
      (read as (json: unknown) => unknown)(json);
      outcomes.read += 1;
    } catch (error) {
      outcomes.refused += 1;
      if (error instanceof KeysError && error.code.startsWith('ERR_KEYS_TOKEN_')) continue;
      t.fail(`${type} ${JSON.stringify(json)}: ${String(error)}`);
      return;
    }
  }
  t.log(outcomes);
  t.true(outcomes.read > inputs / 100 && outcomes.refused > inputs / 100, 'both happen');
});

test('a header full of damaged tokens can be looked through', (t) => {
  const pick = random(7);
  for (let count = 0; count < 10_000; count += 1) {
    const tokens: Token[] = Object.values(codecs).map(([sample], id) => {
      const json = mutated(sample, pick);
      // What the library lets through: an object with a type, and a list of texts.
      const fields = typeof json === 'object' && json !== null ? json : {};
      return { id, json: { ...fields, type: sample.type, keyslots: [String(pick(40))] } };
    });
    journalsOf(tokens);
    ownershipOf(tokens);
    for (let slot = 0; slot < 32; slot += 8) {
      tokensOf(slot, tokens);
      foreignType(slot, { keyslots: [slot], taken: [slot], tokens });
    }
  }
  t.pass();
});
