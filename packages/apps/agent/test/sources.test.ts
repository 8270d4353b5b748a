import { once } from 'node:events';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';

import { parse } from '@nodecore/config';
import { metaTag } from '@nodecore/meta';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { followState } from '../src/boot/follow-state.ts';
import { Configurator } from '../src/configuration/configurator.ts';
import { Platform } from '../src/configuration/platform.ts';
import { platformPlace } from '../src/configuration/platform-place.ts';
import { argumentText, imageSources, isComplete, mergedSources } from '../src/configuration/sources.ts';
import { configurationUrl, type UrlFacts } from '../src/configuration/url-source.ts';
import { readFromVolume } from '../src/configuration/volume-source.ts';
import { kernelArguments } from '../src/image/kernel-arguments.ts';
import { imagePaths } from '../src/image/paths.ts';
import { readEmbeddedMeta, takeEmbedded } from '../src/persistence/embedded-meta.ts';
import { Meta } from '../src/persistence/meta.ts';
import { StateDirectory } from '../src/persistence/state-directory.ts';
import type { StateFinding } from '../src/persistence/state-volume-parts.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const ca = await authority();
const root = rootDocument(ca);
const link =
  'apiVersion: v1alpha1\nkind: LinkAgentConfig\napiUrl: https://fleet.example/?jointoken=open-sesame\n';
const inline = (text: string): string =>
  `quiet os.config.inline=${zstdCompressSync(text).toString('base64')} os.platform=metal\n`;

/** A log whose lines can be read. */
function spoken() {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }) };
}

test('what the image carries comes first, and the kernel command line is merged into it', async (t) => {
  const directory = await temporaryDirectory(t);
  const image = {
    ...imagePaths,
    embeddedConfiguration: join(directory, 'embedded.yaml'),
    kernelCommandLine: join(directory, 'cmdline'),
  };
  const { log, lines } = spoken();
  await writeFile(image.kernelCommandLine, 'quiet\n');
  t.is(
    await mergedSources(
      imageSources(image, async () => undefined),
      log,
    ),
    undefined,
  );
  await writeFile(image.embeddedConfiguration, link);
  t.is(
    await mergedSources(
      imageSources(image, async () => undefined),
      log,
    ),
    link,
  );
  t.false(isComplete(link));
  await writeFile(image.kernelCommandLine, inline(root));
  const text =
    (await mergedSources(
      imageSources(image, async () => undefined),
      log,
    )) ?? '';
  t.true(isComplete(text));
  using both = parse(text);
  t.regex(both.get('LinkAgentConfig')?.apiUrl.bytes.toString() ?? '', /jointoken=open-sesame$/u);
  t.deepEqual(lines, []);
  // One with a mistake is left out, and its values are in no line.
  await writeFile(image.embeddedConfiguration, `${link}nonsense: open-sesame\n`);
  t.is(
    await mergedSources(
      imageSources(image, async () => undefined),
      log,
    ),
    root,
  );
  t.regex(lines.join(''), /a configuration is left out/u);
  t.notRegex(lines.join(''), /sesame/u);
});

test('a configuration on the command line is base64 of zstd, and nothing longer than a call may bring', async (t) => {
  t.is(await argumentText(inline(link), 'os.config.inline'), link);
  t.is(await argumentText('quiet', 'os.config.inline'), undefined);
  await t.throwsAsync(argumentText('os.config.inline=%%%', 'os.config.inline'));
  await t.throwsAsync(
    argumentText(`os.config.inline=${Buffer.from('plain').toString('base64')}`, 'os.config.inline'),
  );
  await t.throwsAsync(argumentText(inline('a'.repeat((2 << 20) + 1)), 'os.config.inline'));
});

async function configured(t: ExecutionContext, bootText?: string, late?: () => string | undefined) {
  const clock = new FakeClock();
  let isBootPending = late !== undefined;
  const said = async (): Promise<string | undefined> => {
    const text = bootText ?? late?.();
    isBootPending = text === undefined && late !== undefined;
    return text;
  };
  const path = join(await temporaryDirectory(t), 'state');
  const { log } = spoken();
  const configurator = new Configurator({
    log,
    clock: new FakeClock(),
    prepareState: () => StateDirectory.open(path),
    prepareTrial: async () => {},
    ...(bootText !== undefined && { bootText: async () => bootText }),
    volumeStatuses: () => [],
    admit: async () => [],
    activate: async () => {},
    keysInForce: () => true,
    settle: async () => {},
    publish: () => {},
  });
  t.teardown(() => configurator.close());
  const begun: string[] = [];
  const begin = async (reason: string): Promise<void> => void begun.push(reason);
  const maintenance = { begin, beginClosed: begin };
  const follow = async (findings: readonly StateFinding[], until?: () => Promise<void>): Promise<void> => {
    const stop = new AbortController();
    await followState(
      {
        log,
        configurator,
        maintenance,
        address: () => ({ host: '', port: 0 }),
        bootText: said,
        isBootPending: () => isBootPending,
        clock,
        stateVolume: {
          search: async function* () {
            yield* findings;
            await until?.();
            stop.abort();
          },
        },
      },
      stop.signal,
    );
  };
  const persisted = (): Promise<string> => readFile(join(path, 'config.yaml'), 'utf8');
  return { path, configurator, begun, follow, persisted, clock };
}

const absent: StateFinding = { kind: 'absent', reason: 'no STATE yet' };

test('a complete configuration of the boot medium is persisted, and there is no maintenance', async (t) => {
  const { begun, follow, persisted, configurator } = await configured(t, root);
  await follow([absent]);
  t.deepEqual(begun, []);
  t.is(await persisted(), root);
  t.is(configurator.active?.version, 1);
});

test('an incomplete one is kept, and merged with what somebody brings', async (t) => {
  const { begun, follow, persisted, configurator } = await configured(t, link);
  await follow([absent]);
  t.deepEqual(begun, ['no STATE yet']);
  await configurator.apply({ text: root, mode: 'auto', dryRun: false, anonymous: true });
  using both = parse(await persisted());
  t.not(both.machine, undefined);
  t.not(both.get('LinkAgentConfig'), undefined);
});

test('what is on STATE comes before the boot medium, also later', async (t) => {
  const other = root + volumeDocument({ name: 'boot-medium' });
  const { begun, follow, persisted, path, configurator } = await configured(t, other);
  const directory = await StateDirectory.open(path);
  await directory.writeConfiguration(root, 7);
  await follow([{ kind: 'found', directory }]);
  t.is(configurator.active?.configuration.text, root);
  const changed = root + volumeDocument({ name: 'data' });
  await configurator.apply({ text: changed, mode: 'auto', dryRun: false, anonymous: false });
  t.is(await persisted(), changed);
  t.deepEqual(begun, []);
});

test('a STATE that does not open keeps the boot medium out', async (t) => {
  const { begun, follow, configurator } = await configured(t, root);
  await follow([{ kind: 'locked', code: 'ERR_VOLUME_KEYS', reason: 'the TPM refuses' }]);
  t.is(configurator.active, undefined);
  t.deepEqual(begun, []);
});

test('META gets what the image carries and it does not have, and nothing of its own keys', async (t) => {
  const directory = await temporaryDirectory(t);
  const [path, file] = [join(directory, 'meta'), join(directory, 'meta.json')];
  await writeFile(path, '');
  await truncate(path, 1 << 20);
  const meta = await Meta.open(path);
  await meta.set(metaTag.userReserved1, Buffer.from('mine'));
  const { log, lines } = spoken();
  const take = async (text: string): Promise<void> => {
    await writeFile(file, text);
    await takeEmbedded(meta, { log, embeddedMeta: () => readEmbeddedMeta(file) });
  };
  const text = (tag: number): string => Buffer.from(meta.get(tag) ?? []).toString();
  await take(JSON.stringify([12, 13].map((key) => ({ key, value: 'theirs' }))));
  await take(JSON.stringify({ 14: 'also' }));
  t.deepEqual([text(12), text(13), text(14)], ['mine', 'theirs', 'also']);
  t.deepEqual(lines, []);
  for (const wrong of ['{"48": "x"}', '[{"key": 50, "value": "x"}]', '{"12": 7}', 'x', '[null]'])
    await take(wrong);
  t.is(lines.length, 5);
  t.deepEqual(meta.tags, [12, 13, 14]);
  t.is((await readEmbeddedMeta(join(directory, 'none'))).size, 0);
});

/** Each source says a parameter of its own, and its name for one that all of them say. */
const place = ['embedded', 'early', 'platform', 'inline'] as const;
const says = (name: string): string =>
  `apiVersion: v1alpha1\nkind: SysctlConfig\nparams: {own.${name}: x, last: ${name}}\n`;
const packed = (name: string, text: string): string =>
  `os.config.${name}=${zstdCompressSync(text).toString('base64')}`;

test('what several sources say is merged, and of one thing the later source counts: embedded, early, platform, inline', async (t) => {
  const directory = await temporaryDirectory(t);
  const image = { ...imagePaths, kernelCommandLine: join(directory, 'cmdline') };
  const { log, lines } = spoken();
  for (let mask = 0; mask < 16; mask++) {
    const chosen = place.filter((_, index) => (mask & (1 << index)) !== 0);
    const has = (name: (typeof place)[number]): boolean => chosen.includes(name);
    const embeddedConfiguration = join(directory, has('embedded') ? 'embedded.yaml' : 'absent');
    await writeFile(join(directory, 'embedded.yaml'), says('embedded'));
    const words = (['early', 'inline'] as const).filter(has).map((name) => packed(name, says(name)));
    await writeFile(image.kernelCommandLine, ['quiet', ...words].join(' '));
    const platform = async (): Promise<string | undefined> =>
      has('platform') ? says('platform') : undefined;
    const text = await mergedSources(imageSources({ ...image, embeddedConfiguration }, platform), log);
    if (text === undefined) {
      t.is(chosen.length, 0);
      continue;
    }
    using merged = parse(text);
    const expected = [...chosen.map((name) => [`own.${name}`, 'x']), ['last', chosen.at(-1)]];
    const params = Object.fromEntries(merged.get('SysctlConfig')?.params ?? []);
    t.deepEqual(params, Object.fromEntries(expected) as typeof params, chosen.join(' '));
  }
  t.deepEqual(lines, []);
});

test('the command line and the serial number name the place of the platform', (t) => {
  const seed = 'ds=nocloud;h=node-a;s=http://10.0.0.1:8000/a/';
  const cases: readonly (readonly [string, string | undefined, unknown])[] = [
    ['quiet', seed, undefined],
    ['os.platform=metal', undefined, undefined],
    ['os.config=metal-iso', undefined, { kind: 'volume', label: 'metal-iso', file: 'config.yaml' }],
    ['os.config=https://x.example/${uuid}', undefined, { kind: 'url', url: 'https://x.example/${uuid}' }],
    ['os.platform=nocloud', undefined, { kind: 'volume', label: 'cidata', file: 'user-data' }],
    ['os.platform=nocloud', 'ds=nocloud;h=a', { kind: 'volume', label: 'cidata', file: 'user-data' }],
    ['os.platform=nocloud', seed, { kind: 'url', url: 'http://10.0.0.1:8000/a/user-data' }],
    ['os.platform=nocloud', 'ds=nocloud-net;s=http://a', { kind: 'url', url: 'http://a/user-data' }],
    [
      'os.platform=nocloud os.config=metal-iso',
      seed,
      { kind: 'volume', label: 'metal-iso', file: 'config.yaml' },
    ],
  ];
  for (const [line, serial, expected] of cases)
    t.deepEqual(platformPlace(kernelArguments(line), serial), expected as never, line);
  for (const wrong of ['file:///etc/shadow', 'iso', 'ftp://x'])
    t.throws(() => platformPlace(kernelArguments(`os.config=${wrong}`), undefined), {
      instanceOf: TypeError,
    });
});

const facts: UrlFacts = {
  uuid: async () => 'b1946ac9-0000-0000-0000-000000000000',
  serial: async () => 'S 1/../?&x',
  mac: async () => '52:54:00:00:00:01',
  hostname: async () => undefined,
  code: async () => 'sesame',
};

test('the variables of a URL stand for what the machine knows, as text and nothing else', async (t) => {
  const url = await configurationUrl('http://x.example/${uuid}/${serial}?m=${mac}&c=${code}', facts);
  t.is(url.pathname, '/b1946ac9-0000-0000-0000-000000000000/S%201%2F..%2F%3F%26x');
  t.is(url.searchParams.get('m'), '52:54:00:00:00:01');
  t.is(url.searchParams.get('c'), 'sesame');
  for (const [wrong, message] of [
    ['http://x/${hostname}', /does not know its \$\{hostname\}/],
    ['http://x/${toString}', /which there is not/],
    ['http://x/${path', undefined],
    ['http://[::1', /no URL/],
  ] as const) {
    if (message === undefined) t.is((await configurationUrl(wrong, facts)).host, 'x');
    else await t.throwsAsync(configurationUrl(wrong, facts), { message });
  }
});

test('a server that is not there is pending; its errors name it and not what the URL holds', async (t) => {
  const line = join(await temporaryDirectory(t), 'cmdline');
  const answers: { status: number; body: string }[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    const { status, body } = answers.shift() ?? { status: 404, body: '' };
    response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  await writeFile(line, `os.config=http://who:open-sesame@127.0.0.1:${port}/c?t=\${code}\n`);
  const platform = new Platform({ kernelCommandLine: line, facts, inventory: () => undefined });
  t.false(platform.isPending);
  const error = await t.throwsAsync(platform.read());
  t.is(error?.message, `127.0.0.1:${port} answers with 404`);
  t.true(platform.isPending);
  answers.push({ status: 200, body: 'a'.repeat((2 << 20) + 1) });
  await t.throwsAsync(platform.read(), { message: /sends more than/ });
  answers.push({ status: 200, body: link });
  t.is(await platform.read(), link);
  t.false(platform.isPending);
  t.is(asked[2], `/c?t=sesame Basic ${Buffer.from('who:open-sesame').toString('base64')}`);
  server.close();
  server.closeAllConnections();
  const gone = await t.throwsAsync(platform.read());
  t.is(gone?.message, `127.0.0.1:${port} does not answer: ECONNREFUSED`);
});

const volume = (id: string, label: string, name: string) =>
  ({ id, label, name, devPath: `/dev/${id}` }) as never;

test('a medium is mounted to read one plain file of it, and unmounted whatever happens', async (t) => {
  const told: string[] = [];
  const mounting = {
    list: async () => [],
    mount: async ({ source, options }: { source: string; options?: object }) =>
      void told.push(`mount ${source} ${JSON.stringify(options)}`),
    unmount: async () => void told.push('unmount'),
  } as never;
  const volumes = [volume('sr0', 'metal-iso', 'iso9660'), volume('vdb', 'METAL-ISO', 'ext4')];
  await t.throwsAsync(readFromVolume({ volumes }, 'metal-iso', 'config.yaml', 10, mounting), {
    code: 'ENOENT',
  });
  t.deepEqual(told, ['mount /dev/sr0 {"readOnly":true,"nosuid":true,"nodev":true,"noexec":true}', 'unmount']);
  t.is(await readFromVolume({ volumes }, 'cidata', 'user-data', 10, mounting), undefined);
  const twice = [...volumes, volume('vdc', 'Metal-ISO', 'vfat')];
  await t.throwsAsync(readFromVolume({ volumes: twice }, 'metal-iso', 'config.yaml', 10, mounting), {
    message: /sr0 and vdc are called metal-iso/,
  });
  t.is(told.length, 2);
});

test('a configuration that comes later than the node is taken when it comes', async (t) => {
  let answer: string | undefined;
  const node = await configured(t, undefined, () => answer);
  await node.follow([absent], async () => {
    while (node.clock.sleepers === 0) await new Promise(setImmediate);
    node.clock.skip(); // still nobody
    while (node.clock.sleepers === 0) await new Promise(setImmediate);
    answer = root;
    node.clock.skip();
    while (node.configurator.active === undefined) await new Promise(setImmediate);
  });
  t.deepEqual(node.begun, ['no STATE yet']);
  t.is(await node.persisted(), root);
});
