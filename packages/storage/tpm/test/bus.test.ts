import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';

import type { TpmError } from '../src/index.ts';
import { command, interposer } from './interposer.ts';
import { digest, opened, started, tool } from './software.ts';

const withTpm = testWith(program('swtpm'));
const withTools = testWith(program('swtpm'), program('tpm2_getcap'));

withTpm('neither the secret nor the PIN goes over the bus as it is', async (t) => {
  const { software, tpm } = await started(t);
  await tpm.close();
  const seen: Buffer[] = [];
  const see = (_: number, bytes: Buffer): Buffer => {
    seen.push(bytes);
    return bytes;
  };
  const { tcti } = await interposer(t, software, { onCommand: see, onAnswer: see });
  const through = await opened(t, { tcti });
  using secret = Secret.random(32);
  using pin = Secret.take(Buffer.from('correct horse'));
  const sealed = await through.seal(secret, { pcrs: [7], pin });
  using back = await through.unseal(sealed, { pin });
  t.true(back.equals(secret));
  const traffic = Buffer.concat(seen);
  t.true(seen.length > 20);
  t.false(traffic.includes(secret.bytes));
  t.false(traffic.includes(secret.bytes.subarray(8, 16)));
  t.false(traffic.includes(pin.bytes));
  t.false(traffic.includes(Buffer.from(digest('correct horse').subarray(0, 8))));
});

withTpm('somebody on the bus who puts a key of his own in place is told', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  const byTemplate = await tpm.seal(secret, { pcrs: [7] }, { storageRoot: 'ecc' });
  await tpm.close();
  // Another TPM's key, whole and genuine, as an interposer would have one.
  const { software: other } = await started(t);
  const { tcti } = await interposer(t, other, {});
  const foreign = await opened(t, { tcti });
  await t.throwsAsync(foreign.unseal(sealed), { code: 'ERR_TPM_DIFFERENT' });
  await t.throwsAsync(foreign.unseal(byTemplate), { code: 'ERR_TPM_DIFFERENT' });
  using own = Secret.random(32);
  await foreign.seal(own, { pcrs: [] }); // now it has a key in the same place
  await t.throwsAsync(foreign.unseal(sealed), { code: 'ERR_TPM_DIFFERENT' });
  await foreign.close();
  // A key that is not what its name says.
  let at = 0;
  const forged = await interposer(t, software, {
    onAnswer: (code, bytes) => {
      if (code !== command.createPrimary) return bytes;
      const copy = Buffer.from(bytes);
      at = copy.indexOf(Buffer.from('0010000300100020', 'hex')); // no scheme, P-256, no KDF, 32 bytes of x
      copy[at + 8] = (copy[at + 8] ?? 0) ^ 1;
      return copy;
    },
  });
  const deceived = await opened(t, { tcti: forged.tcti });
  await t.throwsAsync(deceived.unseal(byTemplate), { code: 'ERR_TPM_UNREACHABLE' });
  t.true(at > 0);
});

withTpm('an answer that was changed on the way is told', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  await tpm.close();
  const { tcti } = await interposer(t, software, {
    onAnswer: (code, bytes) => {
      const copy = Buffer.from(bytes);
      if (code === command.unseal) copy[20] = (copy[20] ?? 0) ^ 1;
      return copy;
    },
  });
  const deceived = await opened(t, { tcti });
  await t.throwsAsync(deceived.unseal(sealed), { code: 'ERR_TPM_DIFFERENT' });
});

/** TPM2_PCR_Extend of a register with SHA-256, under an empty password. */
function extendCommand(pcr: number): Buffer {
  const password = Buffer.from('00000009400000090000000000', 'hex');
  const digests = Buffer.concat([Buffer.from('00000001000b', 'hex'), digest('meanwhile')]);
  const bytes = Buffer.concat([Buffer.alloc(14), password, digests]);
  bytes.writeUInt16BE(0x8002, 0);
  bytes.writeUInt32BE(bytes.length, 2);
  bytes.writeUInt32BE(command.pcrExtend, 6);
  bytes.writeUInt32BE(pcr, 10);
  return bytes;
}

withTpm('a register that somebody else extends meanwhile does not disturb', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  await tpm.close();
  let left = 3;
  const { tcti } = await interposer(t, software, {
    onCommand: async (code, bytes, send) => {
      if (code === command.unseal && left > 0) {
        left -= 1;
        t.is((await send(extendCommand(12))).readUInt32BE(6), 0);
      }
      return bytes;
    },
  });
  const disturbed = await opened(t, { tcti });
  using back = await disturbed.unseal(sealed);
  t.true(back.equals(secret));
  t.is(left, 0);
  // For ever is too long: somebody wants something.
  left = Number.POSITIVE_INFINITY;
  const error = await t.throwsAsync(disturbed.unseal(sealed), { code: 'ERR_TPM_FAILED' });
  t.is((error as TpmError).responseCode, 0x128);
});

withTpm('registers of one state are read, whoever extends them meanwhile', async (t) => {
  const { software, tpm } = await started(t);
  await tpm.close();
  let reads = 0;
  const { tcti } = await interposer(t, software, {
    onCommand: async (code, bytes, send) => {
      if (code === command.pcrRead && (reads += 1) === 2) await send(extendCommand(0));
      return bytes;
    },
  });
  const disturbed = await opened(t, { tcti });
  const all = Array.from({ length: 24 }, (_, pcr) => pcr);
  const values = await disturbed.readPcrs(all);
  const after = await disturbed.readPcrs([0]);
  t.deepEqual(values.get(0), after.get(0));
  t.is(values.size, 24);
});

withTools(
  'nothing stays loaded in the TPM, whether a request succeeds or fails at any command',
  async (t) => {
    const { software, tpm } = await started(t);
    using secret = Secret.random(32);
    using pin = Secret.take(Buffer.from('1234'));
    using wrong = Secret.take(Buffer.from('4321'));
    const sealed = await tpm.seal(secret, { pcrs: [7], pin });
    await t.throwsAsync(tpm.unseal(sealed, { pin: wrong }), { code: 'ERR_TPM_PIN_REJECTED' });
    await tpm.close();
    const left = async (): Promise<string> => {
      const kinds = ['handles-transient', 'handles-loaded-session', 'handles-saved-session'] as const;
      const lists: string[] = [];
      for (const kind of kinds) lists.push(await tool(software.tcti, ['tpm2_getcap', kind]));
      return lists.join('');
    };
    t.is(await left(), '');
    // The n-th command fails, for every n, until there is none left to fail.
    let failed = true;
    let rounds = 0;
    for (; failed; rounds += 1) {
      failed = false;
      let count = 0;
      const { tcti } = await interposer(t, software, {
        onCommand: (code, bytes) => {
          if (code === command.flushContext || code === command.getCapability) return bytes;
          count += 1;
          if (count !== rounds + 1) return bytes;
          failed = true;
          return Buffer.from('80010000000a0000ffff', 'hex'); // no such command
        },
      });
      const fragile = await opened(t, { tcti });
      const result = fragile.seal(secret, { pcrs: [7], pin }).then(
        () => 'sealed',
        (error: unknown) => (error as TpmError).code,
      );
      t.is(await result, failed || count > rounds ? 'ERR_TPM_FAILED' : 'sealed');
      await fragile.close();
      t.is(await left(), '', `after command ${rounds + 1}`);
    }
    t.true(rounds > 8);
  },
);
