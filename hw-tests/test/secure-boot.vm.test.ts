import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { certificateList, createSigningIdentity, type SigningIdentity, variableStore } from '@nodecore/efi';
import { cpio, diskImage } from '@nodecore/image';
import { compiledProgram, consoleFile, consoleSays, Machine } from '@nodecore/machine';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { assembleUki, predictPcr11 } from '@nodecore/uki';
import { fileView, View } from '@nodecore/view';

import { findKernel } from '../src/kernel.ts';
import { cacheDirectory, checkout, rigCache } from '../src/paths.ts';

const owner = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0';

async function tinyImage(signer?: SigningIdentity): Promise<View> {
  const init = await compiledProgram(join(checkout, 'hw-tests/test/fixtures/measured-init.c'), rigCache);
  const kernel = findKernel('secure-boot');
  return await assembleUki({
    stub: await fileView(join(cacheDirectory, 'systemd-boot/stub.efi')),
    sections: {
      osrel: 'ID=nodeos\nIMAGE_ID=nodeos\nIMAGE_VERSION=1.14.0~alpha.0\n',
      cmdline: 'console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check',
      uname: kernel.version,
      linux: await fileView(kernel.image),
      initrd: cpio([
        { kind: 'directory', path: '/dev' },
        { kind: 'file', path: '/init', mode: 0o755, content: View.of(await readFile(init)) },
      ]),
    },
    pcrSigningKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    ...(signer && { sign: signer }),
  });
}

/** A machine whose firmware takes what the signer signed, and finds the image where a boot loader would be. */
async function machineWith(directory: string, image: View, signer: SigningIdentity): Promise<Machine> {
  const list = certificateList(signer.certificate, owner);
  const store = join(directory, 'keys.fd');
  const blank = await readFile('/usr/share/OVMF/OVMF_VARS_4M.fd');
  await writeFile(store, variableStore(blank, { PK: [list], KEK: [list], db: [list] }));
  const disk = diskImage({
    recipe: 'an image in place of a boot loader',
    esp: { systemdBoot: image, entries: [] },
  });
  const file = join(directory, 'disk.raw');
  await disk.writeTo(file);
  return await Machine.open(
    {
      name: 'secure-boot',
      uuid: randomUUID(),
      firmware: 'uefi-secure-boot',
      variableStore: { from: store },
      tpm: 'tis',
      memoryMib: 256,
      cpus: 1,
      durability: 'none',
      disks: [{ driver: 'virtio', sizeBytes: disk.size, serial: 'SYSTEM', file }],
    },
    { directory: join(directory, 'machine') },
  );
}

testWith(program('qemu-system-x86_64'), program('swtpm'))(
  'firmware starts an image that we signed, and its TPM holds in PCR 11 what was predicted',
  async (t) => {
    t.timeout(300_000);
    const directory = await temporaryDirectory(t);
    const signer = await createSigningIdentity('test');
    const image = await tinyImage(signer);
    await using machine = await machineWith(directory, image, signer);
    await machine.powerOn();
    await consoleSays(machine.directory, 'init: PCR 11', AbortSignal.timeout(280_000));
    await machine.powerOff();
    const said = await readFile(join(machine.directory, consoleFile), 'latin1');
    const value = /init: PCR 11 (?<value>\w+)/u.exec(said)?.groups?.['value'];
    t.is(value?.toLowerCase(), (await predictPcr11(image, [])).toString('hex'));
  },
);

testWith(program('qemu-system-x86_64'), program('swtpm'))(
  'firmware refuses an image that nobody signed',
  async (t) => {
    t.timeout(300_000);
    const directory = await temporaryDirectory(t);
    await using machine = await machineWith(
      directory,
      await tinyImage(),
      await createSigningIdentity('test'),
    );
    await machine.powerOn();
    await consoleSays(machine.directory, 'Access Denied', AbortSignal.timeout(280_000));
    await machine.powerOff({ graceMs: 0 });
    t.notRegex(await readFile(join(machine.directory, consoleFile), 'latin1'), /init:/);
  },
);
