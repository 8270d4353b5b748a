import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Secret } from '@nodecore/sys';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';

import type { SealedObject } from '../src/index.ts';
import { command, interposer } from './interposer.ts';
import { digest, hex, opened, started, tool } from './software.ts';

const withTools = testWith(program('swtpm'), program('tpm2_evictcontrol'));

const handle = '0x81000001';
const parent = 'restricted|decrypt|fixedtpm|fixedparent|sensitivedataorigin|userwithauth';

withTools('the storage root key is made once, stays, and serves every seal', async (t) => {
  const { software, tpm } = await started(t);
  let primaries = 0;
  await tpm.close();
  const { tcti } = await interposer(t, software, {
    onCommand: (code, bytes) => {
      if (code === command.createPrimary) primaries += 1;
      return bytes;
    },
  });
  const counted = await opened(t, { tcti });
  using secret = Secret.random(32);
  const first = await counted.seal(secret, { pcrs: [7] });
  const second = await counted.seal(secret, { pcrs: [] });
  using back = await counted.unseal(first);
  t.true(back.equals(secret));
  t.is(primaries, 1);
  t.deepEqual(first.srk, second.srk);
  t.is(hex(first.srk?.subarray(0, 4)), '81000001');
  await counted.close();
  const attributes = await tool(software.tcti, ['tpm2_readpublic', '-c', handle]);
  t.regex(attributes, /noda/);
  t.regex(attributes, /fixedtpm\|fixedparent/);
});

withTools('a key that stays there already is taken, and the next start finds it', async (t) => {
  const { software, tpm } = await started(t);
  await tpm.close();
  const cwd = await temporaryDirectory(t);
  await tool(
    software.tcti,
    ['tpm2_createprimary', '-C', 'o', '-G', 'rsa2048', '-a', `${parent}|noda`, '-c', 'key'],
    {
      cwd,
    },
  );
  await tool(software.tcti, ['tpm2_evictcontrol', '-C', 'o', '-c', 'key', handle], { cwd });
  await tool(software.tcti, ['tpm2_flushcontext', '--transient-object']);
  const before = await tool(software.tcti, ['tpm2_readpublic', '-c', handle]);
  const again = await opened(t, { tcti: software.tcti });
  using secret = Secret.random(32);
  const sealed = await again.seal(secret, { pcrs: [] });
  t.is(sealed.primaryAlg, 'rsa');
  t.true(before.replaceAll(/\s/g, '').includes(hex(sealed.keyName)));
  await again.close();
  t.is(await tool(software.tcti, ['tpm2_readpublic', '-c', handle]), before);
  await software.powerCycle();
  const later = await opened(t, { tcti: software.tcti });
  using back = await later.unseal(sealed);
  t.true(back.equals(secret));
});

const strangers: Readonly<Record<string, readonly string[]>> = {
  'counts guesses': ['-a', parent],
  'could leave the TPM': ['-a', 'restricted|decrypt|sensitivedataorigin|userwithauth|noda'],
  signs: ['-a', 'sign|fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda'],
  'has a password': ['-a', `${parent}|noda`, '-p', 'mine'],
  'has another hash': ['-g', 'sha384', '-a', `${parent}|noda`],
};

for (const [stranger, options] of Object.entries(strangers)) {
  withTools(`a key in its place that ${stranger} is left alone, and the template is used`, async (t) => {
    const { software, tpm } = await started(t);
    await tpm.close();
    const cwd = await temporaryDirectory(t);
    await tool(software.tcti, ['tpm2_createprimary', '-C', 'o', '-G', 'ecc', ...options, '-c', 'key'], {
      cwd,
    });
    await tool(software.tcti, ['tpm2_evictcontrol', '-C', 'o', '-c', 'key', handle], { cwd });
    await tool(software.tcti, ['tpm2_flushcontext', '--transient-object']);
    const before = await tool(software.tcti, ['tpm2_readpublic', '-c', handle]);
    const again = await opened(t, { tcti: software.tcti });
    using secret = Secret.random(32);
    const sealed = await again.seal(secret, { pcrs: [7] });
    t.is(sealed.srk, undefined);
    using back = await again.unseal(sealed);
    t.true(back.equals(secret));
    t.like(await again.lockout(), { failedTries: 0 });
    await again.close();
    t.is(await tool(software.tcti, ['tpm2_readpublic', '-c', handle]), before);
  });
}

withTools('where no key may stay, the template is used', async (t) => {
  const { software, tpm } = await started(t);
  await tpm.close();
  // TPM_RC_AUTH_FAIL of handle 1, TPM_RC_NV_SPACE
  for (const refusal of ['80010000000a0000098e', '80010000000a0000014b']) {
    const { tcti } = await interposer(t, software, {
      onAnswer: (code, bytes) => (code === command.evictControl ? Buffer.from(refusal, 'hex') : bytes),
      onCommand: (code, bytes) =>
        code === command.evictControl
          ? Buffer.from('8001000000160000017a000000060000010000000001', 'hex')
          : bytes,
    });
    const strict = await opened(t, { tcti });
    using secret = Secret.random(32);
    const sealed = await strict.seal(secret, { pcrs: [7] });
    t.is(sealed.srk, undefined);
    using back = await strict.unseal(sealed);
    t.true(back.equals(secret));
    await strict.close();
  }
});

withTools("with an owner's password a key that stays is used, and none is made", async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const before = await tpm.seal(secret, { pcrs: [7] });
  await tpm.close();
  await tool(software.tcti, ['tpm2_changeauth', '-c', 'owner', 'mine']);
  const owned = await opened(t, { tcti: software.tcti });
  const after = await owned.seal(secret, { pcrs: [7] });
  t.deepEqual(after.srk, before.srk);
  for (const sealed of [before, after]) {
    using back = await owned.unseal(sealed);
    t.true(back.equals(secret));
  }
  await owned.close();
  await tool(software.tcti, ['tpm2_evictcontrol', '-C', 'o', '-P', 'mine', '-c', handle]);
  const bare = await opened(t, { tcti: software.tcti });
  await t.throwsAsync(bare.seal(secret, { pcrs: [7] }), { code: 'ERR_TPM_UNSUPPORTED', message: /password/ });
});

type Kept = {
  readonly state: string;
  readonly tokens: Readonly<Record<'bound' | 'free' | 'pin', Readonly<Record<string, never>>>>;
};

/** What the fixture's tokens say, as it was sealed before there was a key that stays. */
function sealedOf(token: Readonly<Record<string, unknown>>): SealedObject {
  const bytes = (name: string): Buffer => Buffer.from(String(token[name]), 'base64');
  return {
    blob: bytes('tpm2-blob'),
    pcrs: token['tpm2-pcrs'] as number[],
    bank: 'sha256',
    primaryAlg: 'ecc',
    policyHash: Buffer.from(String(token['tpm2-policy-hash']), 'hex'),
    pin: token['tpm2-pin'] === true,
    publicKeyPcrs: [],
    keyName: bytes('nodecore-key-name'),
  };
}

withTools('what was sealed under the template by earlier versions still opens', async (t) => {
  const kept = JSON.parse(
    await readFile(new URL('fixtures/sealed-under-template.json', import.meta.url), 'utf8'),
  ) as Kept;
  const stateDirectory = join(await temporaryDirectory(t), 'state');
  await mkdir(stateDirectory);
  await writeFile(join(stateDirectory, 'tpm2-00.permall'), gunzipSync(Buffer.from(kept.state, 'base64')));
  const software = await softwareTpm(t, { stateDirectory });
  const tpm = await opened(t, { tcti: software.tcti });
  await tpm.extendPcr(7, digest('secure boot'));
  using pin = Secret.copy(Buffer.from('1234'));
  const open = async (): Promise<void> => {
    for (const token of Object.values(kept.tokens)) {
      using back = await tpm.unseal(sealedOf(token), { pin });
      t.is(hex(back.bytes), hex(digest('sealed before')));
    }
  };
  await open();
  using another = Secret.random(32);
  t.truthy((await tpm.seal(another, { pcrs: [7] })).srk);
  await open(); // also beside a key that stays
});
