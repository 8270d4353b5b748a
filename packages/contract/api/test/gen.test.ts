import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import protobuf from 'protobufjs';
import test from 'ava';
import {
  Metadata,
  Mount,
  requirements,
  Resource,
  RotateKeysRequest,
  WatchResponse,
} from '../gen/nodecore-v1.js';
import { readSchema } from '../src/generate/schema.ts';

const schema = readSchema('nodecore.v1', [
  'nodecore/v1/machine.proto',
  'nodecore/v1/resource.proto',
  'nodecore/v1/volume.proto',
]);

test('the committed code is what the .proto files say', async (t) => {
  const generator = fileURLToPath(new URL('../src/generate.ts', import.meta.url));
  await t.notThrowsAsync(
    promisify(execFile)(process.execPath, ['--conditions=source', generator, '--check']),
  );
});

test('numbers beyond 2^53 come back whole, signed and unsigned', (t) => {
  const metadata = Metadata.decode(Metadata.encode({ version: 2n ** 64n - 1n, createdMillis: -(2n ** 63n) }));
  t.is(metadata.version, 2n ** 64n - 1n);
  t.is(metadata.createdMillis, -(2n ** 63n));
});

test.serial('numbers of 64 bits are whole where the package long is not found', (t) => {
  const { Long } = protobuf.util;
  t.teardown(() => {
    protobuf.util.Long = Long;
    protobuf.configure();
  });
  protobuf.util.Long = null as never;
  protobuf.configure();
  for (let bit = 0n; bit < 64n; bit += 1n) {
    for (const version of [2n ** bit - 1n, 2n ** bit, 2n ** bit + 1n])
      t.is(Metadata.decode(Metadata.encode({ version })).version, version);
  }
});

test('a number that goes on after ten bytes, or ends too early, is refused', (t) => {
  const field = (Metadata.encode({ version: 1n })[0] ?? 0) & 0xff;
  t.throws(() => Metadata.decode(Uint8Array.of(field, ...Array<number>(11).fill(0xff))), {
    message: 'a number takes ten bytes at most',
  });
  t.throws(() => Metadata.decode(Uint8Array.of(field, 0xff)), { message: 'message ends inside a field' });
});

test('an optional number that is absent is undefined, and zero is zero', (t) => {
  const mount = Mount.decode(Mount.encode({ target: '/proc', inodes: 0n }));
  t.is(mount.sizeBytes, undefined);
  t.is(mount.inodes, 0n);
});

test('a label named __proto__ is a label', (t) => {
  const { labels } = Metadata.decode(Metadata.encode({ labels: { ['__proto__']: 'x', a: 'b' } }));
  t.deepEqual(Object.entries(labels), [
    ['__proto__', 'x'],
    ['a', 'b'],
  ]);
  t.is(Object.getPrototypeOf(labels), Object.prototype);
});

test('a list of numbers is written as one field and read in either form', (t) => {
  const type = schema.messages.find((message) => message.name === 'RotateKeysRequest')!;
  const value = { volumes: ['u-data'], slots: [0, 7, 300], dryRun: true };
  const ours = RotateKeysRequest.encode(value);
  t.deepEqual(Buffer.from(type.encode(type.fromObject(value)).finish()), ours);
  t.deepEqual(RotateKeysRequest.decode(ours), value);
  const oneByOne = Buffer.from([0x10, 0x00, 0x10, 0x07, 0x10, 0xac, 0x02]);
  t.deepEqual(RotateKeysRequest.decode(oneByOne).slots, [0, 7, 300]);
  t.throws(() => RotateKeysRequest.decode(Buffer.from([0x12, 0x05, 0x01])), { any: true });
});

test('fields of a newer version are skipped', (t) => {
  const bytes = Buffer.concat([
    Resource.encode({ spec: Buffer.from('{}') }),
    Buffer.from([0xfa, 0x01, 1, 0x61]),
  ]);
  t.is(Buffer.from(Resource.decode(bytes).spec).toString(), '{}');
});

test('a message cut short is refused', (t) => {
  const bytes = Resource.encode({ metadata: { namespace: 'runtime', type: 'T', id: 'x' } });
  for (let length = 1; length < bytes.length; length += 1)
    t.throws(() => Resource.decode(bytes.subarray(0, length)), { any: true }, `${length} bytes`);
});

test('the generated code and protobufjs read each other', (t) => {
  const type = schema.messages.find((message) => message.name === 'WatchResponse')!;
  const value = {
    events: [
      {
        type: 2,
        resource: {
          metadata: {
            namespace: 'runtime',
            id: 'nvme0n1',
            version: '12',
            labels: { a: 'b' },
            finalizers: ['x', 'y'],
          },
          spec: 'e30=',
        },
        bookmark: { epoch: 'e', revision: '9007199254740993' },
      },
      { type: 4 },
    ],
  };
  const theirs = type.encode(type.fromObject(value)).finish();
  const ours = WatchResponse.encode(WatchResponse.decode(theirs));
  t.deepEqual(type.toObject(type.decode(ours), { longs: String, bytes: String }), value);
  t.true(type instanceof protobuf.Type);
});

test('every method says who may call it', (t) => {
  for (const { methodsArray } of schema.services)
    for (const method of methodsArray) {
      const requirement = requirements[`/${method.parent!.fullName.slice(1)}/${method.name}`];
      t.true(requirement !== undefined && requirement.roles.length > 0, method.fullName);
    }
});
