import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import test from 'ava';

import { parseBlob } from '../src/blob.ts';
import { summaries } from '../src/event-log/summary.ts';
import { eventLog, measuredFromJson, parsePcrSignatures, TpmError } from '../src/index.ts';
import { measuredFrom, measuredToJson } from '../src/measured.ts';
import { checkStorageRoot } from '../src/storage-root.ts';
import { agileLog, image, separator, sha1Log, variable } from './log-builder.ts';

// Half a million errors, of which nobody reads where they came from.
Error.stackTraceLimit = 0;

const seed = Number(process.env['FUZZ_SEED'] ?? '20261121');

/** xorshift32: the same inputs in every run. */
function generator(state: number): (below: number) => number {
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0x22, 0x2c, 0x5b, 0x7d];

/** A few bytes changed, perhaps cut short, perhaps longer. */
function mutated(source: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes = Uint8Array.from(source);
  for (let count = random(4) + 1; count > 0; count -= 1) {
    bytes[random(bytes.length)] =
      random(2) === 0 ? random(256) : (interesting[random(interesting.length)] ?? 0);
  }
  const cut = random(8);
  if (cut === 0) bytes = bytes.subarray(0, random(bytes.length) + 1);
  if (cut === 1) bytes = Buffer.concat([bytes, bytes.subarray(random(bytes.length))]);
  return bytes;
}

/** Nothing but errors of ours, and no input that takes long. */
function fuzz(count: number, sources: readonly Uint8Array[], parse: (bytes: Uint8Array) => unknown): number {
  const random = generator(seed);
  let accepted = 0;
  for (let n = 0; n < count; n += 1) {
    const bytes = mutated(sources[n % sources.length] ?? separator, random);
    try {
      if (parse(bytes) !== undefined) accepted += 1;
    } catch (error) {
      if (!(error instanceof TpmError)) {
        throw new Error(`input ${n} of seed ${seed}: ${Buffer.from(bytes).toString('hex')}`, {
          cause: error,
        });
      }
    }
  }
  return accepted;
}

const variables = { pcr: 7, type: 0x8000_0001, data: variable('db', separator) };
const loader = { pcr: 4, type: 0x8000_0003, data: image('\\boot') };
const logs = [
  agileLog(variables, loader),
  sha1Log(variables),
  agileLog({ pcr: 9, type: 6, data: separator }),
];
const real = eventLog.parse(readFileSync(new URL('fixtures/secure-boot-on.log', import.meta.url)));

test('400 000 damaged logs are read or refused', (t) => {
  const accepted = fuzz(400_000, logs, (bytes) => {
    const log = eventLog.parse(bytes);
    summaries(log);
    return log;
  });
  t.true(accepted > 10_000);
});

test('20 000 damaged logs replay and explain, or are refused', (t) => {
  const then = measuredFrom(eventLog.replay(real), real);
  const accepted = fuzz(20_000, logs, (bytes) => {
    const log = eventLog.parse(bytes);
    eventLog.replay(log);
    return eventLog.explain(then, log, [0, 4, 7]);
  });
  t.true(accepted > 1000);
});

/** A TPM2B. */
function sized(bytes: Buffer): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(bytes.length);
  return Buffer.concat([head, bytes]);
}

test('damaged handles of a storage root key are refused', (t) => {
  const area = Buffer.alloc(90, 7);
  const name = Buffer.concat([Buffer.from([0, 0x0b]), createHash('sha256').update(area).digest()]);
  const head = Buffer.from('81000001', 'hex');
  const handle = Buffer.concat([head, sized(name), Buffer.from('00000001', 'hex'), sized(area)]);
  t.notThrows(() => checkStorageRoot(handle));
  const wrong = fuzz(10_000, [handle], (bytes) => {
    checkStorageRoot(bytes);
    // Which of the keys that stay in a TPM it is, is anybody's choice.
    return Buffer.compare(bytes.subarray(4), handle.subarray(4)) === 0 ? undefined : bytes;
  });
  t.is(wrong, 0);
});

test('300 000 damaged blobs are read or refused', (t) => {
  const area = Buffer.from(`0008000b000000120020${'11'.repeat(32)}00100020${'22'.repeat(32)}`, 'hex');
  const blob = Buffer.concat([sized(Buffer.alloc(60, 0x33)), sized(area)]);
  t.is(parseBlob(blob).policyHash.length, 32);
  t.true(fuzz(300_000, [blob], parseBlob) > 1000);
});

test('200 000 damaged explanations are read or explain nothing', (t) => {
  const values = new Map([...eventLog.replay(real)].filter(([pcr]) => pcr === 7));
  const text = Buffer.from(JSON.stringify(measuredToJson(measuredFrom(values, real))));
  const accepted = fuzz(200_000, [text], (bytes) => {
    let json: unknown;
    try {
      json = JSON.parse(Buffer.from(bytes).toString());
    } catch {
      return undefined;
    }
    return measuredFromJson(json);
  });
  t.true(accepted > 1000);
});

test('100 000 damaged lists of signatures are read or refused', (t) => {
  const entry = { pcrs: [11], pkfp: 'ab'.repeat(32), pol: 'cd'.repeat(32), sig: 'QUJD'.repeat(30) };
  const text = Buffer.from(JSON.stringify({ sha256: [entry], sha1: [] }));
  t.is(parsePcrSignatures(text, 'signatures').length, 1);
  t.true(fuzz(100_000, [text], (bytes) => parsePcrSignatures(bytes, 'signatures')) > 1000);
});
