import { access, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { osctl } from '../../osctl/test/command-line.ts';
import { examplesOf, wordsOf } from '../../osctl/test/help-examples.ts';
import { everyCommand, wholeProgram } from '../../osctl/test/whole-program.ts';
import { authority } from './documents.ts';
import { elsewhere, proofs, unused } from './help-examples-elsewhere.ts';
import { operatedAgent } from './operated-agent.ts';

/** Files that examples name, in the directory that they are run in. */
const fixtures: Readonly<Record<string, string>> = {
  'deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: tool, namespace: default}
spec:
  selector: {matchLabels: {app: tool}}
  template:
    metadata: {labels: {app: tool}}
    spec:
      containers: [{name: tool, image: tool}]
`,
  'cronjob.yaml': `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: default}
spec:
  schedule: '0 3 * * *'
  jobTemplate:
    spec:
      template:
        spec:
          containers: [{name: nightly, image: nightly}]
`,
  'columns.yaml': `columns:
  - name: pids
    template: '{{ .PidsCurrent }}'
`,
  'hostname.yaml': 'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: node\nauto: off\n',
  'tools.tar': '',
};

/** How examples end that ask an agent of a host for what it has not: volumes, services, a container runtime, a former event, a document to patch. */
const absent: readonly (readonly [names: RegExp, code: number])[] = [
  [/ (?:etcd|u-data|EPHEMERAL)(?: |$)/u, 3],
  [/^osctl (?:containers|stats|debug|image (?:list|pull|remove))/u, 9],
  [/ --since 0199|^osctl patch /u, 1],
];

/** A line as it is said to this agent: every node that an example names is it. */
function toAgent(words: readonly string[], endpoint: string): readonly string[] {
  return words.map((word, index) => (words[index - 1] === '-n' ? endpoint : word));
}

testWith(root)('the examples in the help of commands do what they show', async (t) => {
  const { as, agent } = await operatedAgent(t, await authority());
  const { OSCONFIG } = await as('os:admin');
  const directory = await temporaryDirectory(t);
  for (const [name, text] of Object.entries(fixtures)) await writeFile(join(directory, name), text);
  const before = process.cwd();
  process.chdir(directory);
  t.teardown(() => process.chdir(before));
  const examples = new Set(everyCommand(await wholeProgram()).flatMap(examplesOf));
  t.deepEqual(unused(examples), [], 'no help shows these any more');
  for (const provenBy of proofs)
    await t.notThrowsAsync(access(new URL(`../../../../${provenBy}`, import.meta.url)));
  const lines = [...examples].filter((line) => elsewhere(line) === undefined);
  t.true(lines.length > 100, `${lines.length}`);
  const wrong: string[] = [];
  for (const line of lines) {
    const interrupt = new AbortController();
    // Those that go on are interrupted when they have said something.
    const isEndless = / (?:-w|--watch|-f)(?: |$)/u.test(line) && !line.includes('inject');
    const own = join(directory, 'client'); // some change it
    await copyFile(OSCONFIG, own);
    const input = / < (\S+)/u.exec(line)?.[1];
    const { code, error } = await osctl(toAgent(wordsOf(line).slice(1), agent.endpoint), {
      env: { OSCONFIG: own },
      signal: interrupt.signal,
      ...(input !== undefined && { input: fixtures[input] ?? '' }),
      ...(isEndless && { onOutput: () => interrupt.abort(new Error('interrupted')) }),
    });
    const expected = absent.find(([names]) => names.test(line))?.[1] ?? (isEndless ? 130 : 0);
    if (code !== expected) wrong.push(`${line}: ${code} ${error}`);
  }
  t.deepEqual(wrong, []);
});
