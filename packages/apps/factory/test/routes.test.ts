import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { parseAsset } from '../src/assets/asset.ts';
import {
  ask,
  client,
  contents,
  defaultSchematic,
  runningFactory,
  submit,
  writeRelease,
} from './running-factory.ts';

test('a schematic is kept under its ID, and its canonical text comes back', async (t) => {
  const running = await runningFactory(t);
  for (const body of ['{}', 'customization: {}'])
    t.like(await ask(running, '/schematics', { method: 'POST', body }), {
      status: 201,
      body: Buffer.from(`${JSON.stringify({ id: defaultSchematic, schematic: 'customization: {}\n' })}\n`),
    });
  const { status, headers, body } = await ask(running, `/schematics/${defaultSchematic}`);
  t.is(status, 200);
  t.is(headers['content-type'], 'application/yaml');
  t.is(body.toString(), 'customization: {}\n');
});

test('a refused schematic says where, as a line or as a problem', async (t) => {
  const running = await runningFactory(t);
  const body = 'customization:\n  bootloader: lilo\n';
  const line = await ask(running, '/schematics', { method: 'POST', body });
  t.is(line.status, 400);
  t.regex(line.body.toString(), /^ERR_SCHEMATIC_VALUE: line 2, column 15: customization\.bootloader: .*\n$/);
  const problem = await ask(running, '/schematics', {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  });
  t.is(problem.headers['content-type'], 'application/problem+json');
  t.like(JSON.parse(problem.body.toString()), {
    status: 400,
    code: 'ERR_SCHEMATIC_VALUE',
    line: 2,
    column: 15,
  });
  for (const text of ['', 'owner: ann', 'a'.repeat(70_000), '\xff'])
    t.is((await ask(running, '/schematics', { method: 'POST', body: text })).status, 400);
});

const unknown = '0'.repeat(64);
const v = 'v1.14.0';
const refused: readonly (readonly [path: string, status: number, code: string, nearest?: string])[] = [
  [`/schematics/${unknown}`, 404, 'SCHEMATIC_UNKNOWN'],
  ['/schematics/x', 404, 'SCHEMATIC_UNKNOWN'],
  [`/image/${unknown}/${v}/metal-amd64.raw`, 404, 'SCHEMATIC_UNKNOWN'],
  [`/image/ID/1.14/metal-amd64.raw`, 400, 'VERSION', v],
  [`/image/ID/v1.14.1/metal-amd64.raw`, 404, 'VERSION_UNKNOWN', v],
  [`/image/ID/${v}/metal-amd64.rav`, 400, 'ASSET', 'metal-amd64.raw'],
  [`/image/ID/${v}/kernel-amd64-secureboot`, 400, 'ASSET'],
  [`/image/ID/${v}/metal-arm64.raw`, 404, 'ARCHITECTURE', 'amd64'],
  [`/image/ID/${v}/cmdline-metal-arm64`, 404, 'ARCHITECTURE', 'amd64'],
  [`/image/ID/${v}/metal-riscv64.raw`, 400, 'ASSET', 'metal-amd64.raw'],
  [`/image/ID/${v}/hcluod-amd64.raw`, 400, 'ASSET', 'hcloud-amd64.raw'],
  [`/image/ID/${v}/digitalocean-amd64.raw`, 400, 'ASSET', 'digital-ocean-amd64.raw'],
  [`/image/ID/${v}/metal-rpi_generic-arm64.raw`, 400, 'ASSET', 'metal-arm64.raw'],
  [`/image/ID/${v}/hcloud-arm64.raw`, 400, 'ASSET', 'amd64'],
  [`/image/ID/${v}/aws-amd64-secureboot.raw`, 400, 'ASSET'],
  [`/image/ID/${v}/aws-amd64.iso`, 400, 'ASSET'],
  [`/image/ID/${v}/vultr-amd64.raw`, 400, 'ASSET'],
  [`/pxe/ID/${v}/aws-amd64`, 400, 'ASSET'],
  [`/pxe/ID/${v}/vultr-amd64-secureboot`, 400, 'ASSET'],
  [`/pxe/ID/${v}/metal-arm64`, 404, 'ARCHITECTURE', 'amd64'],
  [`/image/ID/${v}/metal-amd64-secureboot.raw`, 400, 'SECURE_BOOT'],
  [`/image/ID/${v}/metal-amd64.raw?filename=a%22b`, 400, 'REQUEST'],
  [`/pxe/ID/${v}/metal-amd65`, 400, 'ASSET', 'metal-amd64'],
  [`/pxe/ID/${v}/metal-amd64-secureboot`, 400, 'SECURE_BOOT'],
  ['/version/v9/extensions/official', 400, 'VERSION'],
  ['/version/v9.0.0/extensions/official', 404, 'VERSION_UNKNOWN'],
  ['/osctl/1.14', 400, 'VERSION', v],
  ['/osctl/v1.14.1', 404, 'VERSION_UNKNOWN', v],
  ['/osctl/v1.14.1/osctl-linux-amd64', 404, 'VERSION_UNKNOWN', v],
  [`/osctl/${v}/osctl-linux-amd65`, 404, 'PATH', 'osctl-linux-amd64'],
  [`/osctl/${v}/osctl-darwin-arm64`, 404, 'PATH', 'osctl-linux-arm64'],
  [`/osctl/${v}/..%2frelease.json`, 404, 'PATH'],
  [`/osctl/${v}/../../etc/passwd`, 404, 'PATH'],
  [`/osctl/${v}/%2e%2e/release.json`, 400, 'VERSION'],
  [`/osctl/${v}/osctl-linux-amd64%00`, 404, 'PATH'],
  [`/osctl/${v}/__proto__`, 404, 'PATH'],
  [`/osctl/${v}/osctl-linux-amd64?filename=a%0d`, 400, 'REQUEST'],
  ['/secureboot/signing-cert.pem', 404, 'PATH'],
  ['/nothing', 404, 'PATH'],
  [`/image/ID/${v}/..%2f..%2frelease.json`, 400, 'ASSET'],
  [`/image/ID/${v}/%2e%2e/kernel-amd64`, 404, 'PATH'],
  [`/image/ID/${v}/../../../etc/passwd`, 404, 'PATH'],
  [`/image/ID/..%2f${v}/kernel-amd64`, 400, 'VERSION'],
  [`/image/ID/${v}/kernel-amd64%00`, 400, 'ASSET'],
  [`/image//ID/${v}/kernel-amd64`, 404, 'PATH'],
  [`/image/ID%2f${v}/kernel-amd64`, 404, 'PATH'],
  // Decoded once: what was encoded twice is text.
  [`/image/%252e%252e/ID`, 404, 'PATH'],
  [`/image/ID%2500/${v}/kernel-amd64`, 404, 'SCHEMATIC_UNKNOWN'],
  [`/image/ID/%252e%252e/kernel-amd64`, 400, 'VERSION'],
  [`/image/ID/${v}/%252e%252e%252fkernel-amd64`, 400, 'ASSET'],
  [`/image/ID/${v}/kernel%252damd64`, 400, 'ASSET', 'kernel-amd64'],
  [`/osctl/${v}/%252e%252e%252frelease.json`, 404, 'PATH'],
  [`/schematics/%2549D`, 404, 'SCHEMATIC_UNKNOWN'],
];

for (const [path, status, code, near] of refused)
  test(`refused with a code, and with what would be right: ${path}`, async (t) => {
    const running = await runningFactory(t);
    const id = await submit(running, '{}');
    const { status: answered, body } = await ask(running, path.replace('ID', id), {
      headers: { accept: 'application/json' },
    });
    t.is(answered, status);
    const problem = JSON.parse(body.toString());
    t.is(problem.code, `ERR_FACTORY_${code}`);
    if (near !== undefined) t.is(problem.nearest[0], near);
  });

test('what a release does not offer is refused when the image is asked for', async (t) => {
  const running = await runningFactory(t);
  for (const [text, code] of [
    ['customization: {systemExtensions: {officialExtensions: [os/btrfs]}}', 'EXTENSION'],
    ['overlay: {image: i, name: n1}', 'UNSUPPORTED'],
    ['customization: {bootloader: grub, diskImage: {sectorSize: 4096}}', 'UNSUPPORTED'],
    [`customization: {bootloader: dual-boot, extraKernelArgs: ["a='b"]}`, 'UNSUPPORTED'],
  ] as const) {
    const id = await submit(running, text);
    const { status, body } = await ask(running, `/image/${id}/${v}/metal-amd64.raw`);
    t.is(status, 400);
    t.true(body.toString().startsWith(`ERR_FACTORY_${code}: `), body.toString());
    t.is((await ask(running, `/image/${id}/${v}/kernel-amd64`)).status, 200);
  }
});

test('a disk and a CD for a machine with a BIOS are made of a release that has GRUB, and of no other', async (t) => {
  const running = await runningFactory(t);
  for (const bootloader of ['grub', 'dual-boot']) {
    const id = await submit(running, `customization: {bootloader: ${bootloader}}`);
    const image = `/image/${id}/${v}/metal-amd64`;
    const { status, body } = await ask(running, `${image}.raw`, { headers: { range: 'bytes=0-16383' } });
    t.is(status, 206);
    const labels = [0, 1, 2, 3].map((index) => body.toString('utf16le', 1024 + index * 128 + 56).slice(0, 4));
    t.deepEqual(
      labels.map((label) => label.replaceAll('\0', '')),
      bootloader === 'grub' ? ['BIOS', 'BOOT', 'META', ''] : ['EFI', 'BIOS', 'BOOT', 'META'],
    );
    const medium = await ask(running, `${image}.iso`, { headers: { range: 'bytes=0-65535' } });
    t.is(medium.body.readUInt8(22 * 2048 + 1), 0, 'the first entry of its boot catalog is for a BIOS');
    const older = await ask(running, `/image/${id}/v1.14.0-alpha.0/metal-amd64.raw`);
    t.is(older.status, 400);
    t.regex(
      older.body.toString(),
      /^ERR_FACTORY_UNSUPPORTED: .* starts by UEFI alone on amd64, as without bootloader or with sd-boot$/mu,
    );
  }
});

test('a CD starts by a BIOS, too, unless it is asked for without, or GRUB can not start it; one for Secure Boot does not', async (t) => {
  const running = await runningFactory(t);
  for (const [text, version, platform] of [
    ['{}', v, 0],
    ['customization: {bootloader: sd-boot}', v, 0xef],
    [`customization: {extraKernelArgs: ["a='b"]}`, v, 0xef],
    ['{}', 'v1.14.0-alpha.0', 0xef],
  ] as const) {
    const path = `/image/${await submit(running, text)}/${version}/metal-amd64.iso`;
    const { status, body } = await ask(running, path, { headers: { range: 'bytes=0-65535' } });
    t.is(status, 206);
    t.is(body.readUInt8(22 * 2048 + 1), platform, `${text} ${version}`);
  }
});

test('versions are in order, with no extensions', async (t) => {
  const running = await runningFactory(t);
  t.deepEqual(JSON.parse((await ask(running, '/versions')).body.toString()), ['v1.14.0-alpha.0', 'v1.14.0']);
  t.deepEqual(JSON.parse((await ask(running, `/version/${v}/extensions/official`)).body.toString()), []);
  t.is((await ask(running, '/healthz')).status, 200);
  t.is((await ask(running, '/readyz')).body.toString(), 'ready\n');
});

test('versions that are broken are offered to nobody who does not ask for them, and their images stay', async (t) => {
  const releases = join(await temporaryDirectory(t), 'releases');
  for (const version of ['v1.14.0', 'v1.14.1', 'v1.15.0-beta.1', 'v1.15.0-nightly.7', 'v1.14.2-rc.0'])
    await writeRelease(releases, version);
  const running = await runningFactory(t, { releases, brokenVersions: ['v1.14.1', 'v9.9.9'] });
  const list = async (query: string): Promise<unknown> =>
    JSON.parse((await ask(running, `/versions${query}`)).body.toString());
  t.deepEqual(await list(''), ['v1.14.0', 'v1.15.0-beta.1']);
  t.deepEqual(await list('?broken=true'), ['v1.14.0', 'v1.14.1', 'v1.15.0-beta.1']);
  const id = await submit(running, '{}');
  t.is((await ask(running, `/image/${id}/v1.14.1/kernel-amd64`)).status, 200);
  const digest = async (tag: string): Promise<unknown> => {
    const path = `/v2/metal-installer/${id}/manifests/${tag}`;
    return (await ask(running, path, { method: 'HEAD' })).headers['docker-content-digest'];
  };
  t.is(await digest('latest'), await digest('v1.14.0'));
});

test('programs that read text are told what this is, and crawlers what to leave alone', async (t) => {
  const running = await runningFactory(t);
  const llms = (await ask(running, '/llms.txt')).body.toString();
  for (const [, name = ''] of llms.matchAll(/`([a-z0-9-]+-(?:amd|arm)64[a-z0-9.-]*)`/g))
    t.notThrows(() => parseAsset(name), name);
  t.true(llms.includes('http://factory.example.com/openapi.json'));
  t.regex((await ask(running, '/robots.txt')).body.toString(), /^User-agent: \*\n[^]*^Disallow: \/image\/$/m);
  t.is((await ask(running, `/version/${v}/overlays/official`)).body.toString(), '[]\n');
  t.is((await ask(running, '/version/v9.0.0/overlays/official')).status, 404);
});

test('osctl is listed by its addresses, and fetched as a whole, in ranges, and not twice', async (t) => {
  const running = await runningFactory(t);
  const names = ['osctl-linux-amd64', 'osctl-linux-arm64'];
  const list = JSON.parse((await ask(running, `/osctl/${v}`)).body.toString());
  t.deepEqual(
    list,
    names.map((name) => `http://factory.example.com/osctl/${v}/${name}`),
  );
  for (const name of names) {
    const path = `/osctl/${v}/${name}`;
    const { status, headers, body } = await ask(running, path);
    t.is(status, 200);
    t.deepEqual(body, client);
    t.like(headers, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': `${client.length}`,
      etag: `"${createHash('sha256').update(client).digest('hex')}"`,
    });
    const head = await ask(running, path, { method: 'HEAD' });
    t.is(head.status, 200);
    t.is(head.headers['content-length'], `${client.length}`);
    t.is(head.body.length, 0);
    const part = await ask(running, path, { headers: { range: 'bytes=100000-' } });
    t.is(part.status, 206);
    t.deepEqual(part.body, client.subarray(100_000));
    const known = { 'if-none-match': String(headers['etag']) };
    t.is((await ask(running, path, { headers: known })).status, 304);
  }
});

test('a release without osctl lists none', async (t) => {
  const running = await runningFactory(t);
  t.deepEqual(JSON.parse((await ask(running, '/osctl/v1.14.0-alpha.0')).body.toString()), []);
  t.is((await ask(running, '/osctl/v1.14.0-alpha.0/osctl-linux-amd64')).status, 404);
});

test('a script for iPXE names kernel, initramfs and command line', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, 'customization: {extraKernelArgs: [console=ttyS0]}');
  const lines = (await ask(running, `/pxe/${id}/${v}/metal-amd64`)).body.toString().split('\n');
  t.deepEqual([lines[0], lines[1], lines[4]], ['#!ipxe', 'imgfree', 'boot']);
  const line = (await ask(running, `/image/${id}/${v}/cmdline-metal-amd64`)).body.toString();
  t.regex(line, /^os\.platform=metal .* console=ttyS0$/);
  const base = `http://factory.example.com/image/${id}/${v}`;
  t.is(lines[2], `kernel ${base}/kernel-amd64 initrd=initramfs-amd64.xz ${line}`);
  t.is(lines[3], `initrd ${base}/initramfs-amd64.xz`);
});

test('a script for iPXE of another platform has its argument and its consoles', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const lines = (await ask(running, `/pxe/${id}/${v}/nocloud-x86_64`)).body.toString().split('\n');
  t.regex(
    lines[2]!,
    /kernel-amd64 initrd=initramfs-amd64\.xz os\.platform=nocloud console=tty1 console=ttyS0 /,
  );
});

test('there is no script for images that are not made, nor for arguments that iPXE would change', async (t) => {
  const running = await runningFactory(t);
  const ask400 = async (schematic: string): Promise<string> => {
    const { status, body } = await ask(running, `/pxe/${await submit(running, schematic)}/${v}/metal-amd64`);
    t.is(status, 400, schematic);
    return body.toString();
  };
  t.regex(
    await ask400('customization: {systemExtensions: {officialExtensions: [os/none]}}'),
    /^ERR_FACTORY_EXTENSION: /,
  );
  t.regex(await ask400('overlay: {name: a, image: os/a}'), /^ERR_FACTORY_UNSUPPORTED: overlay: /);
  for (const odd of ['os.config=https://h/?m=${mac}', '&&', '||', ';', '#a', 'a=b\\']) {
    const told = await ask400(JSON.stringify({ customization: { extraKernelArgs: [odd] } }));
    t.true(told.startsWith('ERR_FACTORY_UNSUPPORTED: iPXE') && told.includes(odd), told);
  }
  for (const plain of ['a=$b', 'a=b&&c', 'a;b', 'a=#b', 'a\\b']) {
    const id = await submit(running, JSON.stringify({ customization: { extraKernelArgs: [plain] } }));
    const { body } = await ask(running, `/pxe/${id}/${v}/metal-amd64`);
    t.true(body.toString().includes(` ${plain}\n`), plain);
  }
});

test('a script for iPXE has no line that the kernel would cut off', async (t) => {
  const running = await runningFactory(t);
  const lengthOf = async (id: string): Promise<number> =>
    (await ask(running, `/image/${id}/${v}/cmdline-metal-amd64`)).body.length;
  const withArguments = async (size: number): Promise<string> => {
    const words = [Math.ceil(size / 2), Math.floor(size / 2)].map((length) => 'a'.repeat(length));
    return await submit(running, JSON.stringify({ customization: { extraKernelArgs: words } }));
  };
  const room = 2045 - (await lengthOf(await submit(running, '{}'))); // two spaces
  const longest = await withArguments(room);
  t.is(await lengthOf(longest), 2047);
  t.is((await ask(running, `/pxe/${longest}/${v}/metal-amd64`)).status, 400);
  const shorter = await withArguments(room - 'initrd=initramfs-amd64.xz '.length);
  t.is((await ask(running, `/pxe/${shorter}/${v}/metal-amd64`)).status, 200);
});

test('names of files and of requests are not put into headers unseen', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const path = `/image/${id}/${v}/kernel-amd64`;
  const { headers, body } = await ask(running, `${path}?filename=vmlinuz`, {
    headers: { 'x-request-id': 'a.1' },
  });
  t.is(headers['content-disposition'], 'attachment; filename="vmlinuz"');
  t.is(headers['x-request-id'], 'a.1');
  t.deepEqual(body, contents['kernel']);
  const other = await ask(running, path, { headers: { 'x-request-id': 'a b"' } });
  t.regex(String(other.headers['x-request-id']), /^[0-9a-f-]{36}$/);
});
