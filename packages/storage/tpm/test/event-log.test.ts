import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import test from 'ava';

import { measuredFrom } from '../src/measured.ts';
import { summaries } from '../src/event-log/summary.ts';
import { eventLog, type EventLog } from '../src/index.ts';
import { agileLog, image, separator, sha1Log, variable, type Written } from './log-builder.ts';
import { hex } from './software.ts';

const fixtures = new URL('fixtures/', import.meta.url);

type Sidecar = { readonly registers: Readonly<Record<'sha1' | 'sha256', Readonly<Record<string, string>>>> };

function fixture(name: string): EventLog {
  return eventLog.parse(readFileSync(new URL(`${name}.log`, fixtures)));
}

function changes(then: EventLog, now: EventLog, ...pcrs: readonly number[]): readonly string[] {
  return eventLog.explain(measuredFrom(eventLog.replay(then), then), now, pcrs).map(({ words }) => words);
}

for (const name of ['secure-boot-on', 'secure-boot-off']) {
  test(`the log of a real machine replays to its registers (${name})`, (t) => {
    const { registers } = JSON.parse(readFileSync(new URL(`${name}.json`, fixtures), 'utf8')) as Sidecar;
    const log = fixture(name);
    t.is(log.format, 'agile');
    for (const bank of ['sha1', 'sha256'] as const) {
      const replayed = eventLog.replay(log, bank);
      for (const [pcr, value] of Object.entries(registers[bank])) {
        t.is(hex(replayed.get(Number(pcr))), value, `PCR ${pcr} of ${bank}`);
      }
    }
  });
}

test('Secure Boot switched off is what a changed PCR 7 is explained with', (t) => {
  const [on, off] = [fixture('secure-boot-on'), fixture('secure-boot-off')];
  t.deepEqual(changes(on, off, 7), [
    'PCR 7: SecureBoot changed (now off)',
    'PCR 7: PK changed',
    'PCR 7: KEK changed',
    'PCR 7: db changed',
    'PCR 7: dbx changed',
  ]);
  t.is(changes(off, on, 7)[0], 'PCR 7: SecureBoot changed (now on)');
  t.deepEqual(changes(on, on, 0, 4, 7), []);
});

function parse(...events: readonly Written[]): EventLog {
  return eventLog.parse(agileLog(...events));
}

function sha1(...parts: readonly Uint8Array[]): Uint8Array {
  return createHash('sha1').update(Buffer.concat(parts)).digest();
}

const driverConfig = 0x8000_0001;
const application = 0x8000_0003;
const authority = 0x8000_00e0;

test('what appeared, disappeared, changed or moved is told by its name', (t) => {
  const loader = { pcr: 4, type: application, data: image('\\EFI\\BOOT\\BOOTX64.EFI') };
  const kernel = { pcr: 4, type: application, data: image('\\EFI\\Linux\\image.efi') };
  const end = { pcr: 4, type: 4, data: separator };
  const both = parse(end, loader, kernel);
  t.deepEqual(changes(parse(end, loader), both, 4), ['PCR 4: \\EFI\\Linux\\image.efi is new']);
  t.deepEqual(changes(both, parse(end, loader), 4), ['PCR 4: \\EFI\\Linux\\image.efi is not there any more']);
  t.deepEqual(changes(both, parse(end, kernel, loader), 4), ['PCR 4: the order of events is another']);
  const signed = (by: string): EventLog => {
    return parse({ pcr: 7, type: authority, data: variable('db', Buffer.from(by)) });
  };
  t.deepEqual(changes(signed('one'), signed('other'), 7), [
    'PCR 7: the certificate that vouches for an image (db) changed',
  ]);
  const named = summaries(parse({ pcr: 7, type: driverConfig, data: variable('MokList\u0000', separator) }));
  t.is(named[0]?.what, 'MokList');
  t.deepEqual(changes(parse(), both, 4), [], 'of what was not kept nothing is said');
});

test('the first format, SHA-1 only, is read, too', (t) => {
  const log = eventLog.parse(
    sha1Log({ pcr: 4, type: 5, data: Buffer.from('Calling INT 19h') }, { pcr: 4, type: 4, data: separator }),
  );
  t.is(log.format, 'sha1');
  t.is(summaries(log)[0]?.what, 'Calling INT 19h');
  t.is(eventLog.replay(log).size, 0, 'there is nothing for the SHA-256 bank');
  const first = sha1(new Uint8Array(20), sha1(Buffer.from('Calling INT 19h')));
  t.is(hex(eventLog.replay(log, 'sha1').get(4)), hex(sha1(first, sha1(separator))));
});

test('register 0 starts with the locality of the start-up, and what is no measurement changes nothing', (t) => {
  const locality = Buffer.concat([Buffer.from('StartupLocality\0', 'latin1'), Buffer.from([3])]);
  const log = eventLog.parse(
    agileLog({ pcr: 0, type: 3, data: locality }, { pcr: 0, type: 4, data: separator }),
  );
  t.is(log.startupLocality, 3);
  const start = Buffer.concat([Buffer.alloc(31), Buffer.from([3])]);
  const digest = createHash('sha256').update(separator).digest();
  const value = createHash('sha256').update(start).update(digest).digest();
  t.is(hex(eventLog.replay(log).get(0)), hex(value));
});

test('a log that is cut short or lies about its sizes is damaged, and padding is none of it', (t) => {
  const whole = agileLog({ pcr: 4, type: 4, data: separator }, { pcr: 7, type: 4, data: separator });
  const count = eventLog.parse(whole).events.length;
  for (const fill of [0, 0xff]) {
    t.is(eventLog.parse(Buffer.concat([whole, Buffer.alloc(5000, fill)])).events.length, count);
  }
  t.is(eventLog.parse(new Uint8Array()).events.length, 0);
  t.throws(() => eventLog.parse(whole.subarray(0, -1)), { code: 'ERR_TPM_EVENT_LOG', message: /cut short/ });
  const lying = Buffer.from(whole);
  lying.writeUInt32LE(0xffff_ffff, whole.length - 8);
  t.throws(() => eventLog.parse(lying), { code: 'ERR_TPM_EVENT_LOG' });
  const many = Buffer.from(whole);
  many.writeUInt32LE(0xffff_ffff, 32 + 24); // the number of algorithms in the header
  t.throws(() => eventLog.parse(many), { code: 'ERR_TPM_EVENT_LOG', message: /announces 4294967295/ });
});

test('a log that is not there says so with its path', async (t) => {
  await t.throwsAsync(eventLog.read('/nonexistent/log'), {
    code: 'ERR_TPM_EVENT_LOG',
    message: /\/nonexistent\/log can't be read: ENOENT/,
  });
});
