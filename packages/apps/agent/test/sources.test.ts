import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';

import { parse } from '@nodecore/config';
import { metaTag } from '@nodecore/meta';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { followState } from '../src/boot/follow-state.ts';
import { Configurator } from '../src/configuration/configurator.ts';
import { imageSources, inlineText, isComplete, mergedSources } from '../src/configuration/sources.ts';
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
  t.is(await mergedSources(imageSources(image), log), undefined);
  await writeFile(image.embeddedConfiguration, link);
  t.is(await mergedSources(imageSources(image), log), link);
  t.false(isComplete(link));
  await writeFile(image.kernelCommandLine, inline(root));
  const text = (await mergedSources(imageSources(image), log)) ?? '';
  t.true(isComplete(text));
  using both = parse(text);
  t.regex(both.get('LinkAgentConfig')?.apiUrl.bytes.toString() ?? '', /jointoken=open-sesame$/u);
  t.deepEqual(lines, []);
  // One with a mistake is left out, and its values are in no line.
  await writeFile(image.embeddedConfiguration, `${link}nonsense: open-sesame\n`);
  t.is(await mergedSources(imageSources(image), log), root);
  t.regex(lines.join(''), /a configuration is left out/u);
  t.notRegex(lines.join(''), /sesame/u);
});

test('a configuration on the command line is base64 of zstd, and nothing longer than a call may bring', async (t) => {
  t.is(await inlineText(inline(link)), link);
  t.is(await inlineText('quiet'), undefined);
  await t.throwsAsync(inlineText('os.config.inline=%%%'));
  await t.throwsAsync(inlineText(`os.config.inline=${Buffer.from('plain').toString('base64')}`));
  await t.throwsAsync(inlineText(inline('a'.repeat((2 << 20) + 1))));
});

async function configured(t: Parameters<typeof temporaryDirectory>[0], bootText?: string) {
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
  const maintenance = { begin: async (reason: string) => void begun.push(reason) };
  const follow = async (findings: readonly StateFinding[]): Promise<void> => {
    const stop = new AbortController();
    await followState(
      {
        log,
        configurator,
        maintenance,
        address: () => ({ host: '', port: 0 }),
        bootText: async () => bootText,
        stateVolume: {
          search: async function* () {
            yield* findings;
            stop.abort();
          },
        },
      },
      stop.signal,
    );
  };
  const persisted = (): Promise<string> => readFile(join(path, 'config.yaml'), 'utf8');
  return { path, configurator, begun, follow, persisted };
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
