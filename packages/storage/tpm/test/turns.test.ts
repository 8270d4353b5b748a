import { Secret } from '@nodecore/sys';
import { program, softwareTpm, testWith } from '@nodecore/testkit';

import { open } from '../src/index.ts';
import { command, interposer, type Tampering } from './interposer.ts';
import { opened } from './software.ts';

const withTpm = testWith(program('swtpm'));

const isTransient = (bytes: Buffer): boolean => bytes.length >= 14 && bytes[10] === 0x80;

/** How many objects the commands that pass leave loaded, at most: a TPM has room for three, and a command may need one. */
function counting(inner: Tampering = {}): { readonly tampering: Tampering; readonly most: () => number } {
  let loaded = 0;
  let most = 0;
  const tampering: Tampering = {
    onCommand: (code, bytes, send) => {
      if (code === command.flushContext && isTransient(bytes)) loaded -= 1;
      return inner.onCommand === undefined ? bytes : inner.onCommand(code, bytes, send);
    },
    onAnswer: (code, bytes) => {
      if ((code === command.createPrimary || code === command.load) && isTransient(bytes)) loaded += 1;
      most = Math.max(most, loaded);
      return bytes;
    },
  };
  return { tampering, most: () => most };
}

withTpm(
  'connections that seal and unseal at once find room in a TPM without a resource manager',
  async (t) => {
    const { tampering, most } = counting();
    const { tcti } = await interposer(t, await softwareTpm(t), tampering);
    const work = async (): Promise<void> => {
      await using tpm = await open({ tcti });
      for (let round = 0; round < 3; round += 1) {
        using secret = Secret.random(32);
        const sealed = await tpm.seal(secret, { pcrs: [] }, { storageRoot: 'ecc' });
        using back = await tpm.unseal(sealed);
        t.true(back.equals(secret));
      }
    };
    await t.notThrowsAsync(Promise.all(Array.from({ length: 6 }, work)));
    t.is(most(), 2);
  },
);

withTpm('a request that was given up leaves its room before the next one enters', async (t) => {
  const controller = new AbortController();
  const held = Promise.withResolvers<void>();
  let unseals = 0;
  const { tampering, most } = counting({
    onCommand: async (code, bytes) => {
      // Sealing takes the first; the second one is under way, with two objects loaded, when nobody wants it any more.
      if (code === command.unseal && (unseals += 1) === 2) {
        controller.abort(new Error('enough'));
        await held.promise;
      }
      return bytes;
    },
  });
  const { tcti } = await interposer(t, await softwareTpm(t), tampering);
  const first = await opened(t, { tcti });
  using secret = Secret.random(32);
  const sealed = await first.seal(secret, { pcrs: [] }, { storageRoot: 'ecc' });
  await t.throwsAsync(first.unseal(sealed, { signal: controller.signal }), { message: 'enough' });
  await first.close();
  const next = open({ tcti }).then(async (second) => {
    await using tpm = second;
    return await tpm.unseal(sealed);
  });
  held.resolve();
  using back = await next;
  t.true(back.equals(secret));
  t.is(most(), 2);
});

withTpm('who waits behind a request that hangs can give up, and close', async (t) => {
  const reached = Promise.withResolvers<void>();
  let unseals = 0;
  const { tcti } = await interposer(t, await softwareTpm(t), {
    onCommand: (code, bytes) => {
      if (code !== command.unseal || (unseals += 1) === 1) return bytes;
      reached.resolve();
      return undefined;
    },
  });
  const first = await opened(t, { tcti });
  const second = await opened(t, { tcti });
  const idle = await opened(t, { tcti });
  using secret = Secret.random(32);
  const sealed = await first.seal(secret, { pcrs: [] }, { storageRoot: 'ecc' });
  const controller = new AbortController();
  const hanging = t.throwsAsync(first.unseal(sealed, { signal: controller.signal }), { message: 'enough' });
  await reached.promise;
  const waiting = t.throwsAsync(second.readPcrs([7], 'sha256', { signal: controller.signal }), {
    message: 'enough',
  });
  await idle.close();
  controller.abort(new Error('enough'));
  await Promise.all([hanging, waiting]);
  await second.close();
  await first.close();
  t.is(unseals, 2);
});
