/// <reference lib="esnext.disposable" />
import { randomBytes } from 'node:crypto';
import { open as openFile, readFile } from 'node:fs/promises';

import * as luks from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import {
  leakedDescriptors,
  loopDevice,
  openDescriptors,
  output,
  root,
  testWith,
  virtualNode,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { cheap, cryptsetup } from './image.ts';

const test = testWith(virtualNode, root);
const sizeBytes = 24 << 20;

/** A real disk of the virtual node, blank again after the test. */
async function disk(t: ExecutionContext): Promise<string> {
  const { nvme } = JSON.parse(process.env['NODECORE_VM_DISKS'] ?? '{}') as { nvme?: string };
  const path = nvme ?? '';
  t.teardown(async () => {
    await using file = await openFile(path, 'r+');
    await file.write(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
    await file.sync();
  });
  return path;
}

function secret(t: ExecutionContext): Secret {
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  return key;
}

/** A formatted loop device, and a name that is not mapped after the test. */
async function formatted(
  t: ExecutionContext,
  options: Partial<luks.FormatOptions> = {},
): Promise<{ device: string; key: Secret; name: string; uuid: string }> {
  const { path: device } = await loopDevice(t, { sizeBytes });
  const key = secret(t);
  const { uuid } = await luks.format(device, { key, pbkdf: cheap, ...options });
  const name = `luks-test-${randomBytes(4).toString('hex')}`;
  t.teardown(() => luks.close(name));
  return { device, key, name, uuid };
}

async function writeAt(path: string, position: number, bytes: Uint8Array): Promise<void> {
  await using file = await openFile(path, 'r+');
  await file.write(bytes, 0, bytes.byteLength, position);
  await file.sync();
}

async function readBytes(path: string, position: number, length: number): Promise<Buffer> {
  await using file = await openFile(path, 'r');
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, position);
  return buffer;
}

for (const [cipher, keySizeBits] of [
  ['aes-xts-plain64', 512],
  ['xchacha12,aes-adiantum-plain64', 256],
  ['xchacha20,aes-adiantum-plain64', 256],
] as const) {
  for (const sectorSize of [512, 4096]) {
    test(`${cipher} in sectors of ${sectorSize} keeps data through close and open`, async (t) => {
      const device = await disk(t);
      const key = secret(t);
      const made = await luks.format(device, { key, cipher, sectorSize, pbkdf: cheap });
      t.is(made.keySizeBits, keySizeBits);
      const name = 'luks-test-cipher';
      t.teardown(() => luks.close(name));
      const data = randomBytes(64 << 10);
      {
        await using volume = await luks.open(device, { name, expect: { cipher }, keys: [{ key }] });
        t.is(volume.path, `/dev/mapper/${name}`);
        t.is(volume.keyslot, 0);
        await writeAt(volume.path, 8192, data);
        t.deepEqual(await luks.status(name), {
          name,
          path: volume.path,
          device,
          cipher,
          keySizeBits,
          sectorSize,
          flags: [],
          uuid: made.uuid,
          inUse: false,
        });
        const table = await output(['dmsetup', 'table', name]);
        t.true(table.includes(` crypt ${cipher} `), table);
        t.is(table.includes('sector_size:4096'), sectorSize === 4096, table);
      }
      t.is(await luks.status(name), undefined);
      const below = await readBytes(device, Number(made.dataOffset) + 8192, data.length);
      t.false(below.equals(data), 'what reaches the disk is not what was written');
      await using again = await luks.open(device, { name, keys: [{ key }] });
      t.true((await readBytes(again.path, 8192, data.length)).equals(data));
    });
  }
}

test('the program agrees with what we opened, and we with what it opened', async (t) => {
  const { device, key, name, uuid } = await formatted(t, { sectorSize: 4096 });
  const volume = await luks.open(device, { name, keys: [{ key }], allowDiscards: true });
  const { stdout } = await cryptsetup(['status', name]);
  t.regex(stdout, /type:\s+LUKS2/);
  t.regex(stdout, /cipher:\s+aes-xts-plain64/);
  t.regex(stdout, /keysize:\s+512 bits/);
  t.regex(stdout, /sector size:\s+4096/);
  t.regex(stdout, /flags:\s+discards/);
  await volume.close();
  t.is(
    (await cryptsetup(['open', device, name, '--perf-no_read_workqueue', '--key-file', '-'], key)).code,
    0,
  );
  const active = await luks.status(name);
  t.deepEqual(active?.flags, ['no_read_workqueue']);
  t.is(active?.uuid, uuid);
});

const flags = {
  allow_discards: [{ allowDiscards: true }, 'allow_discards'],
  no_read_workqueue: [{ performance: ['no_read_workqueue'] }, 'no_read_workqueue'],
  no_write_workqueue: [{ performance: ['no_write_workqueue'] }, 'no_write_workqueue'],
  same_cpu_crypt: [{ performance: ['same_cpu_crypt'] }, 'same_cpu_crypt'],
} as const;
for (const [flag, [options, inTable]] of Object.entries(flags)) {
  test(`${flag} reaches the kernel`, async (t) => {
    const { device, key, name } = await formatted(t);
    await luks.open(device, { name, keys: [{ key }], ...options });
    t.true((await output(['dmsetup', 'table', name])).includes(` ${inTable}`));
    t.deepEqual((await luks.status(name))?.flags, [flag as luks.MappingFlag]);
  });
}

test('an unknown option is refused before anything is mapped', async (t) => {
  const { device, key, name } = await formatted(t);
  const performance = ['submit_from_crypt_cpus'] as unknown as luks.PerformanceFlag[];
  await t.throwsAsync(luks.open(device, { name, keys: [{ key }], performance }), {
    code: 'ERR_LUKS_UNSUPPORTED',
  });
  t.is(await luks.status(name), undefined);
});

test('a read-only mapping takes no writes', async (t) => {
  const { device, key, name } = await formatted(t);
  const volume = await luks.open(device, { name, keys: [{ key }], readOnly: true });
  await t.throwsAsync(writeAt(volume.path, 0, Buffer.alloc(512)));
  t.deepEqual((await luks.status(name))?.flags, ['read_only']);
});

test('discards pass only where they were allowed', async (t) => {
  const { device, key, name } = await formatted(t);
  const limit = async (): Promise<string> => {
    const node = await output(['dmsetup', 'info', '-c', '--noheadings', '-o', 'blkdevname', name]);
    return (await readFile(`/sys/class/block/${node.trim()}/queue/discard_max_bytes`, 'utf8')).trim();
  };
  const without = await luks.open(device, { name, keys: [{ key }] });
  t.is(await limit(), '0');
  await without.close();
  await luks.open(device, { name, keys: [{ key }], allowDiscards: true });
  t.not(await limit(), '0');
});

test('keys are tried in order, and a rejected one is no obstacle', async (t) => {
  const { device, key, name } = await formatted(t, { slot: 5 });
  const wrong = secret(t);
  const keys = [{ key: wrong }, { key, slot: 3 }, { key, slot: 5 }];
  const volume = await luks.open(device, { name, keys });
  t.is(volume.keyslot, 5);
});

test('with only wrong keys nothing is mapped', async (t) => {
  const { device, name } = await formatted(t);
  await t.throwsAsync(luks.open(device, { name, keys: [{ key: secret(t) }] }), {
    instanceOf: luks.LuksError,
    code: 'ERR_LUKS_KEY_REJECTED',
  });
  t.is(await luks.status(name), undefined);
});

test('another cipher than the expected one is refused', async (t) => {
  const { device, key, name } = await formatted(t);
  const cipher = 'xchacha12,aes-adiantum-plain64';
  await t.throwsAsync(luks.open(device, { name, expect: { cipher }, keys: [{ key }] }), {
    code: 'ERR_LUKS_MISMATCH',
  });
});

test('opening and closing twice is fine', async (t) => {
  const { device, key, name } = await formatted(t);
  const first = await luks.open(device, { name, keys: [{ key }] });
  const second = await luks.open(device, { name, keys: [{ key }] });
  t.is(second.path, first.path);
  await t.throwsAsync(luks.open(device, { name, keys: [{ key: secret(t) }] }), {
    code: 'ERR_LUKS_KEY_REJECTED',
  });
  t.not(await luks.status(name), undefined);
  await first.close();
  await second.close();
  await luks.close(name);
});

test('a name that is mapped with other flags is busy', async (t) => {
  const { device, key, name } = await formatted(t);
  await luks.open(device, { name, keys: [{ key }] });
  await t.throwsAsync(luks.open(device, { name, keys: [{ key }], allowDiscards: true }), {
    code: 'ERR_LUKS_BUSY',
  });
  t.deepEqual((await luks.status(name))?.flags, []);
});

test('options that the header keeps are no difference to what was asked for', async (t) => {
  const { device, key, name } = await formatted(t);
  await luks.persistentFlags.set(device, ['allow_discards', 'same_cpu_crypt']);
  const options = { name, keys: [{ key }], performance: ['no_read_workqueue'] } as const;
  const first = await luks.open(device, options);
  t.deepEqual((await luks.status(name))?.flags, ['allow_discards', 'no_read_workqueue', 'same_cpu_crypt']);
  const second = await luks.open(device, options);
  t.is(second.path, first.path);
});

test('a name that maps another device is busy, and so is a device under another name', async (t) => {
  const one = await formatted(t);
  const other = await formatted(t);
  await luks.open(one.device, { name: one.name, keys: [{ key: one.key }] });
  await t.throwsAsync(luks.open(other.device, { name: one.name, keys: [{ key: other.key }] }), {
    code: 'ERR_LUKS_BUSY',
  });
  await t.throwsAsync(luks.open(one.device, { name: other.name, keys: [{ key: one.key }] }), {
    code: 'ERR_LUKS_BUSY',
  });
  t.is((await luks.status(one.name))?.device, one.device);
});

test('a device in use can not be formatted', async (t) => {
  const { device, key, name, uuid } = await formatted(t);
  await luks.open(device, { name, keys: [{ key }] });
  await t.throwsAsync(luks.format(device, { key, pbkdf: cheap, overwrite: true }), { code: 'ERR_LUKS_BUSY' });
  t.is((await luks.header.read(device))?.uuid, uuid);
});

test('a mapping in use is busy, and closes once it is let go', async (t) => {
  const { device, key, name } = await formatted(t);
  const volume = await luks.open(device, { name, keys: [{ key }] });
  const holder = await openFile(volume.path, 'r');
  t.true((await luks.status(name))?.inUse);
  await t.throwsAsync(luks.close(name, { timeoutMs: 0 }), {
    instanceOf: luks.LuksError,
    code: 'ERR_LUKS_BUSY',
  });
  t.not(await luks.status(name), undefined);
  const reason = new Error('enough');
  const clock = { now: () => 0, sleep: async () => Promise.reject(reason) };
  await t.throwsAsync(luks.close(name, { clock }), { is: reason });
  // The holder lets go while close waits.
  await luks.close(name, { clock: { now: () => 0, sleep: () => holder.close() } });
  t.is(await luks.status(name), undefined);
});

test('a mapping whose header was replaced below it has no UUID', async (t) => {
  const { device, key, name } = await formatted(t);
  await luks.open(device, { name, keys: [{ key }] });
  await writeAt(device, 0, Buffer.alloc(32 << 10));
  const active = await luks.status(name);
  t.is(active?.uuid, '');
  t.is(active?.device, device);
  t.is(active?.cipher, 'aes-xts-plain64');
});

test('a mapping that is not encrypted is unsupported, not missing', async (t) => {
  const name = 'luks-test-linear';
  const { path } = await loopDevice(t, { sizeBytes });
  await output(['dmsetup', 'create', name, '--table', `0 2048 linear ${path} 0`]);
  t.teardown(() => output(['dmsetup', 'remove', name]));
  await t.throwsAsync(luks.status(name), { code: 'ERR_LUKS_UNSUPPORTED' });
});

test('a signal during the activation undoes it', async (t) => {
  const { device, key, name } = await formatted(t);
  const controller = new AbortController();
  const reason = new Error('enough');
  let reads = 0;
  const attempt = {
    // Read once for the checks, and once when the call begins: the signal fires while the call is under way.
    get key(): Secret {
      reads += 1;
      if (reads === 2) queueMicrotask(() => controller.abort(reason));
      return key;
    },
  };
  await t.throwsAsync(luks.open(device, { name, keys: [attempt], signal: controller.signal }), {
    is: reason,
  });
  t.is(reads, 2);
  t.is(await luks.status(name), undefined);
});

test('an aborted signal keeps everything as it is', async (t) => {
  const { device, key, name } = await formatted(t);
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await t.throwsAsync(luks.open(device, { name, keys: [{ key }], signal }), { is: reason });
  t.is(await luks.status(name), undefined);
});

test('the volume key stays in no keyring, and no descriptor is left', async (t) => {
  const { device, key, name } = await formatted(t);
  await luks.status(name); // device-mapper's control node stays open for the life of the process
  const before = openDescriptors();
  const volume = await luks.open(device, { name, keys: [{ key }] });
  t.regex((await cryptsetup(['status', name])).stdout, /key location:\s+dm-crypt/);
  await volume.close();
  t.false((await output(['cat', '/proc/keys'])).includes('cryptsetup:'));
  t.deepEqual(leakedDescriptors(before), []);
});
