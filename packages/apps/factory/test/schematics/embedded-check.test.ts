import test from 'ava';

import { EmbeddedCheck } from '../../src/schematics/embedded-check.ts';
import { embeddedProblems } from '../../src/schematics/embedded-problems.ts';
import { ask, runningFactory, submit } from '../running-factory.ts';

const hostname = 'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: worker-33\n';
const volume = 'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\nprovisioning: {maxSize: 5GiB}\n';

/** What is wrong, and how it is said. */
const wrong: readonly (readonly [text: string, words: string])[] = [
  ['kind: Hunter2\n', 'line 1: kind (kind.unknown)'],
  [`${hostname}hunter2: 5\n`, 'line 4: HostnameConfig ? (unknown_field)'],
  [hostname.replace('worker-33', 'hunter2!'), 'line 3: HostnameConfig hostname (hostname.invalid)'],
  [`${volume}---\n${hostname}---\n${hostname}`, 'line 10: HostnameConfig (document.duplicate)'],
  ['hunter2: [', 'line 1: machine (yaml.syntax)'],
  ['# nothing', 'line 1: (document.none)'],
  [
    'version: v1alpha1\nmachine: {nodeLabels: {"hunter2/x y": "hunter2!"}}\n',
    'line 2: machine machine.type (required); line 2: machine machine.ca (required); line 2: machine (label.name); line 2: machine (label.value)',
  ],
];

for (const [text, words] of wrong)
  test(`what is wrong is said by line, field and rule alone: ${words}`, (t) => {
    const said = embeddedProblems(text) ?? '';
    t.is(said, words);
    t.notRegex(said, /hunter2/iu);
  });

test('documents without the root are a configuration, which others complete', (t) => {
  for (const text of [hostname, `${volume}---\n${hostname}`, `# a comment\n${hostname}`])
    t.is(embeddedProblems(text), undefined, text);
});

test('a page of mistakes is the first of them and a number', (t) => {
  const text = `${hostname}${Array.from({ length: 20 }, (_, index) => `x${index}: 1\n`).join('')}`;
  const said = embeddedProblems(text) ?? '';
  t.is(said.split('; ').length, 6);
  t.true(said.endsWith('; 15 more'), said);
});

test('a schematic with a configuration that no node would take is refused, and one that a node completes is kept', async (t) => {
  const running = await runningFactory(t);
  const post = (text: string) =>
    ask(running, '/schematics', {
      method: 'POST',
      body: JSON.stringify({ customization: { embeddedMachineConfiguration: text } }),
    });
  const refused = await post(`${hostname}hunter2: token\n`);
  t.is(refused.status, 400);
  t.is(
    refused.body.toString(),
    'ERR_FACTORY_CONFIGURATION: customization.embeddedMachineConfiguration: line 4: HostnameConfig ? (unknown_field)\n',
  );
  t.is((await post(hostname)).status, 201);
  t.is((await post('')).status, 201, 'nothing is no configuration, and is left out');
  t.regex(await submit(running, '{}'), /^[0-9a-f]{64}$/);
});

test('texts at once are each judged, and who waits when all ends hears of it', async (t) => {
  await using check = new EmbeddedCheck();
  const texts = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? hostname : `${hostname}x: ${index}\n`,
  );
  const verdicts = await Promise.allSettled(texts.map((text) => check.assertRight(text)));
  t.deepEqual(
    verdicts.map(({ status }) => status),
    texts.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
  );
  // A thread that has only just begun has judged nothing yet.
  const other = new EmbeddedCheck();
  const ended = t.throwsAsync(other.assertRight(hostname), { message: /could not be looked at/u });
  await other[Symbol.asyncDispose]();
  await ended;
  await t.throwsAsync(other.assertRight(hostname), { message: 'closed' });
  await other[Symbol.asyncDispose]();
});
