import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { Secret } from '@nodecore/sys';
import {
  leakedDescriptors,
  openDescriptors,
  program,
  softwareTpm,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import test from 'ava';

import { open } from '../src/index.ts';
import { absent } from '../src/tcti.ts';
import { command, interposer } from './interposer.ts';
import { hex, opened, started } from './software.ts';

const withTpm = testWith(program('swtpm'));

test('where there is no TPM, that is what is said', async (t) => {
  for (const tcti of ['device:/nonexistent', 'swtpm:path=/nonexistent', 'device:/dev/null']) {
    const error = await t.throwsAsync(open({ tcti }));
    t.regex((error as { code?: string }).code ?? '', /^ERR_TPM_(NOT_FOUND|UNREACHABLE)$/, tcti);
  }
});

test('what names no TCTI is no missing TPM', async (t) => {
  for (const tcti of ['nonsense:', 'nosuchtcti:x', '', '/dev/tpmrm0', 'swtpm path=/x']) {
    await t.throwsAsync(open({ tcti }), { code: 'ERR_TPM_UNSUPPORTED', message: /is no TCTI/ }, tcti);
  }
  await t.throwsAsync(open({ tcti: 7 as unknown as string }), { instanceOf: TypeError, message: /tcti/ });
});

test('early after a start a TPM may still come, and what is waited for is said', (t) => {
  for (const [uptimeSeconds, isAnnounced, permanence, words] of [
    [5, true, 'transient', /no TPM 2.0 yet.*announces one.*waited for/],
    [599, false, 'transient', /no TPM 2.0 yet.*announces none.*10 minutes/],
    [600, true, undefined, /has no TPM 2.0.*driver is missing/],
    [600, false, undefined, /has no TPM 2.0.*announces none/],
  ] as const) {
    const error = absent({ uptimeSeconds, isAnnounced });
    t.is(error.code, 'ERR_TPM_NOT_FOUND');
    t.is(error.permanence, permanence);
    t.regex(error.message, words);
    t.regex(error.message, /\/dev\/tpmrm0/);
  }
});

withTpm('what a TPM is can be asked', async (t) => {
  const { tpm } = await started(t);
  const capabilities = await tpm.capabilities();
  t.is(capabilities.manufacturer, 'IBM');
  t.regex(capabilities.specRevision, /^1\.\d\d$/);
  t.regex(capabilities.firmwareVersion, /^\d+\.\d+\.\d+\.\d+$/);
  for (const algorithm of ['rsa', 'ecc', 'aes', 'sha256', 'cfb']) {
    t.true(capabilities.algorithms.includes(algorithm), algorithm);
  }
  const sha256 = capabilities.pcrBanks.find(({ bank }) => bank === 'sha256');
  t.is(sha256?.pcrs.length, 24);
});

withTpm('registers can be read, in each bank, and extended', async (t) => {
  const { tpm } = await started(t);
  t.is(hex((await tpm.readPcrs([16])).get(16)), '00'.repeat(32));
  await tpm.extendPcr(16, new Uint8Array(32));
  t.is(
    hex((await tpm.readPcrs([16])).get(16)),
    'f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b', // SHA-256 of 64 zeros
  );
  const sha1 = await tpm.readPcrs([17, 0], 'sha1');
  t.deepEqual([...sha1.keys()], [0, 17]);
  t.is(hex(sha1.get(17)), 'ff'.repeat(20));
  await t.throwsAsync(tpm.extendPcr(24, new Uint8Array(32)), { code: 'ERR_TPM_UNSUPPORTED' });
  await t.throwsAsync(tpm.extendPcr(16, new Uint8Array(31)), { code: 'ERR_TPM_UNSUPPORTED' });
  await t.throwsAsync(tpm.readPcrs([24]), { code: 'ERR_TPM_UNSUPPORTED' });
});

withTpm('closing twice is fine, use after close is a bug, and no descriptor is left', async (t) => {
  const { tcti } = await softwareTpm(t);
  await (await open({ tcti })).close(); // the loop's own descriptors and the libraries are there now
  const before = openDescriptors();
  const tpm = await open({ tcti });
  const running = tpm.readPcrs([7]);
  await tpm.close();
  t.is((await running).size, 1);
  await tpm.close();
  await t.throwsAsync(tpm.lockout(), { instanceOf: TypeError });
  const deadline = performance.now() + 10_000;
  while (leakedDescriptors(before).length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.deepEqual(leakedDescriptors(before), []);
});

withTpm('a signal ends the wait for a TPM that hangs, and closing does not wait for it either', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  await tpm.close();
  const reached = Promise.withResolvers<void>();
  const { tcti } = await interposer(t, software, {
    onCommand: (code, bytes) => {
      if (code !== command.unseal) return bytes;
      reached.resolve();
      return undefined;
    },
  });
  const stuck = await opened(t, { tcti });
  const hanging = new AbortController();
  const first = stuck.unseal(sealed, { signal: hanging.signal });
  await reached.promise;
  const waiting = new AbortController();
  const second = stuck.lockout({ signal: waiting.signal });
  waiting.abort(new Error('not even begun'));
  await t.throwsAsync(second, { message: 'not even begun' });
  await t.throwsAsync(stuck.lockout({ signal: waiting.signal }), { message: 'not even begun' });
  hanging.abort(new Error('enough'));
  await t.throwsAsync(first, { message: 'enough' });
  await stuck.close();
});

test('a signal ends the wait for a connection that nobody accepts', async (t) => {
  const path = join(await temporaryDirectory(t), 'silent');
  const sockets = new Set<{ destroy(): void }>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(path, resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const aborter = new AbortController();
  silent.once('connection', () => aborter.abort(new Error('enough')));
  await t.throwsAsync(open({ tcti: `swtpm:path=${path}`, signal: aborter.signal }), { message: 'enough' });
});

withTpm('a TPM that goes away is unreachable', async (t) => {
  const { software, tpm } = await started(t);
  await software.stop();
  await t.throwsAsync(tpm.readPcrs([7]), { code: 'ERR_TPM_UNREACHABLE' });
  await t.throwsAsync(tpm.readPcrs([7]), { code: 'ERR_TPM_NOT_FOUND' });
  await t.throwsAsync(open({ tcti: software.tcti }), { code: 'ERR_TPM_NOT_FOUND' });
});

withTpm('a connection that broke is made anew for the next request', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [] });
  await software.powerCycle();
  using first = await tpm.unseal(sealed);
  t.true(first.equals(secret));
  await software.stop();
  await t.throwsAsync(tpm.unseal(sealed), { code: 'ERR_TPM_UNREACHABLE' });
  await software.powerCycle();
  using again = await tpm.unseal(sealed);
  t.true(again.equals(secret));
});

withTpm('what speaks, but not as a TPM does, is unreachable', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  await tpm.close();
  // Every answer in turn cut short to its head, and filled with what a size must not be.
  for (const garble of [
    (bytes: Buffer): Uint8Array => {
      const head = Buffer.from(bytes.subarray(0, 10));
      head.writeUInt32BE(10, 2);
      return head;
    },
    (bytes: Buffer): Uint8Array => {
      const copy = Buffer.from(bytes);
      return Buffer.concat([copy.subarray(0, 10), Buffer.alloc(copy.length - 10, 0xff)]);
    },
  ]) {
    for (let n = 2, reached = true; reached && n < 40; n += 1) {
      let count = 0;
      const { tcti } = await interposer(t, software, {
        onAnswer: (code, bytes) => {
          count += 1;
          return count === n && code !== command.flushContext ? garble(bytes) : bytes;
        },
      });
      const garbled = await opened(t, { tcti });
      const outcome = await garbled.unseal(sealed).then(
        (back) => back[Symbol.dispose](),
        (error: unknown) => (error as { code: string }).code,
      );
      t.regex(outcome ?? 'ERR_TPM_', /^ERR_TPM_/);
      reached = count >= n;
      await garbled.close();
      await software.powerCycle();
      const again = await opened(t, { tcti: software.tcti });
      await again.close();
    }
  }
});

test('a file in place of the log of events does no harm', async (t) => {
  const path = join(await temporaryDirectory(t), 'log');
  await writeFile(path, 'no log');
  await t.throwsAsync(open({ tcti: 'device:/nonexistent', eventLog: path }), { code: 'ERR_TPM_NOT_FOUND' });
});
