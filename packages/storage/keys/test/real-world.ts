import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { type KeyContext, luksKeyslots } from '../src/index.ts';
import { createRing, KeyRing, startKeyServer } from '@nodecore/key-server';
import type { Pbkdf } from '@nodecore/luks';
import { command, output, softwareTpm, type SoftwareTpm, temporaryDirectory } from '@nodecore/testkit';
import * as tpm from '@nodecore/tpm';
import type { ExecutionContext } from 'ava';

export const cheap: Pbkdf = { type: 'pbkdf2', iterations: 1000 };

/** A sparse file that goes away after the test. */
export async function imageFile(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(20 << 20);
  return path;
}

export const headerOf = (device: string): ReturnType<typeof luksKeyslots> =>
  luksKeyslots(device, { pbkdf: cheap });

/** Something measured into a register: what is sealed before does not unseal any more. */
export async function measure({ tcti }: SoftwareTpm, pcr: number, what: string): Promise<void> {
  await using connection = await tpm.open({ tcti });
  await connection.extendPcr(pcr, createHash('sha256').update(what).digest());
}

export type RealMachine = {
  readonly software: SoftwareTpm;
  readonly endpoint: string;
  readonly context: KeyContext;
};

/** A machine with a software TPM that has measured its boot, and a key server on loopback. */
export async function realMachine(t: ExecutionContext): Promise<RealMachine> {
  const software = await softwareTpm(t);
  await measure(software, 7, 'secure boot');
  const directory = await temporaryDirectory(t);
  const ring = join(directory, 'ring');
  using fresh = KeyRing.create(Date.now());
  await createRing(ring, fresh);
  const server = await startKeyServer({
    listen: { host: '127.0.0.1', port: 0 },
    tls: 'plaintext',
    ring,
    audit: join(directory, 'audit.log'),
  });
  t.teardown(() => server.close());
  const context: KeyContext = {
    machineUuid: '4c4c4544-0051-3610-8052-b4c04f4e3132',
    volumeId: 'u-data',
    tpm: ({ signal }) => tpm.open({ tcti: software.tcti, ...(signal === undefined ? {} : { signal }) }),
  };
  return { software, endpoint: `grpc://127.0.0.1:${server.address.port}`, context };
}

/** Sessions that programs of systemd 252 leave in a TPM without a resource manager. */
export async function flush({ tcti }: SoftwareTpm): Promise<void> {
  for (const what of ['--loaded-session', '--transient-object']) {
    await output(['tpm2_flushcontext', what], { env: { TPM2TOOLS_TCTI: tcti } });
  }
}

/** Whether the cryptsetup program opens a keyslot with a key. */
export async function opensWithProgram(path: string, key: Uint8Array, slot: number): Promise<boolean> {
  const { code } = await command(
    ['cryptsetup', 'open', '--test-passphrase', '--key-slot', String(slot), '--key-file', '-', path],
    { input: key },
  );
  return code === 0;
}
