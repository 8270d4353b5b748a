import test from 'ava';

import { ConfigError, parse, type Encryption } from '@nodecore/config';
import { mutate, randomFrom } from './fixtures/mutation.ts';

const rounds = 100_000;
/** Ten thousand times what a document takes, so that a busy machine is not a hang. */
const hangMs = 5000;

const head = 'apiVersion: v1alpha1\nkind: VolumeConfig\nname:';
const documents = [
  `${head} STATE\nencryption: {provider: luks2, keys: [{slot: 1, nodeID: {}}, {tpm: {}}]}\n`,
  `${head} EPHEMERAL\nencryption: {provider: luks2, keys: [{slot: 3, tpm: {options: {pcrs: [7, 11]}}, lockToState: true}]}\n`,
  `${head} EPHEMERAL\nencryption:\n  provider: luks2\n  keys:\n    - kms: {endpoint: "grpcs://a:4050"}\n`,
  `${head} EPHEMERAL\nencryption:\n  provider: luks2\n  keySize: 256\n  keys: [{static: {passphrase: x}}]\n`,
  'apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: a\ncertificates: |\n  # none\n  -----BEGIN CERTIFICATE-----\n',
];
/** What stands in a value's place: still YAML most of the time, so that the rules behind the parser are reached. */
const values = [
  '-1 0 31 32 7 23 24 1e309 .nan 0x1f 0o17 12345678901234567890 1.5 true null ~ "" {} [] [[]] [7,7,0]',
  'luks1 STATE nodeID static __proto__ constructor grpc:// grpcs://[::1]:0 https://a@b \u{1F600} "\\ud800" "\\u0000"',
].flatMap((line) => line.split(' '));

function replaceValue(text: string, random: (below: number) => number): string {
  const words = [...text.matchAll(/[\w.:/-]+/gu)];
  const word = words[random(words.length)];
  if (word === undefined) return text;
  return text.slice(0, word.index) + values[random(values.length)] + text.slice(word.index + word[0].length);
}

function ascending(list: readonly number[], most: number): boolean {
  return list.every(
    (one, index) => one >= 0 && one <= most && (index === 0 || one > (list[index - 1] ?? one)),
  );
}

function checkKeys({ keys, cipher, keySizeBits }: Encryption, state: boolean): void {
  const slots = keys.map(({ slot }) => slot);
  if (keys.length === 0 || !ascending(slots, 31)) throw new Error(`slots ${slots.join()}`);
  if (cipher !== 'aes-xts-plain64' && keySizeBits !== 256) throw new Error(`key size ${keySizeBits}`);
  for (const key of keys) {
    if (state && (key.kind === 'static' || key.lockToState)) throw new Error('a key STATE can not have');
    if (key.kind === 'tpm' && !ascending(key.pcrs, 23)) throw new Error(`PCRs ${key.pcrs.join()}`);
    if (key.kind === 'static' && key.passphrase.sizeBytes === 0) throw new Error('an empty passphrase');
  }
}

/** True when the text was accepted; throws when something is wrong with how it was read. */
function check(text: string): boolean {
  try {
    using configuration = parse(text);
    for (const volume of configuration.all('VolumeConfig')) {
      if (volume.encryption !== undefined) checkKeys(volume.encryption, volume.name === 'STATE');
    }
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError) || error.problems.length === 0) throw error;
    const lines = text.split('\n').length;
    const lost = error.problems.find(({ line, column }) => line < 1 || line > lines || column < 1);
    if (lost !== undefined) throw new Error(`a problem at ${lost.line}:${lost.column}`, { cause: error });
    return false;
  }
}

test('a hundred thousand mutated documents are read or refused, none crashes, hangs or breaks a rule', (t) => {
  t.timeout(300_000);
  Error.stackTraceLimit = 0; // every second text is refused, and nobody looks at where
  const seed = Number(process.env['CONFIG_SEED'] ?? 20_261_121);
  const random = randomFrom(seed);
  let accepted = 0;
  let slowestMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    let text = documents[round % documents.length] ?? '';
    for (let step = random(2); step >= 0; step -= 1) {
      text = random(3) === 0 ? mutate(text, random) : replaceValue(text, random);
    }
    const startMs = performance.now();
    try {
      if (check(text)) accepted += 1;
    } catch (error) {
      t.fail(`seed ${seed}, round ${round}: ${String(error)}\n${text}`);
      return;
    }
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
  }
  t.log(`seed ${seed}: ${accepted} of ${rounds} accepted, the slowest took ${Math.round(slowestMs)} ms`);
  t.true(accepted > rounds / 100, 'mutations must leave some documents valid');
  t.true(slowestMs < hangMs, `the slowest took ${Math.round(slowestMs)} ms`);
});
