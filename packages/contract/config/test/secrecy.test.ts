import { inspect } from 'node:util';

import test from 'ava';

import { ConfigError, diff, parse, redact } from '@nodecore/config';
import { caCertificate, caKey } from './fixtures/authority.ts';
import { mutate, randomFrom } from './fixtures/mutation.ts';

// Letters only: the form most easily taken for a field name when a colon is lost.
const marker = 'zqxzqxzqxzqx';
const trace = 'zqxzqx'; // survives one mutation inside the marker
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const text = `version: v1alpha1
machine:
  type: controlplane
  token: ${marker}
  ca:
    crt: ${base64(caCertificate)}
    key: ${base64(caKey)}
cluster: {clusterName: home}
---
apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning:
  diskSelector: {match: 'disk.size > 0'}
  minSize: 1GiB
  maxSize: -10%
encryption:
  provider: luks2
  keys:
    - slot: 1
      static:
        passphrase: ${marker}
    - static: {passphrase: "${marker}"}
    - {slot: 7, kms: {endpoint: "grpcs://kms.example:4050"}, lockToState: true}
    - slot: 2
      static:
        passphrase: |
          ${marker}
mount: {secure: true}
`;

function outcome(run: () => string): { shown: string; error?: unknown } {
  try {
    return { shown: run() };
  } catch (error) {
    const { message, stack } = error as Error;
    return {
      shown: [inspect(error, { depth: 20, showHidden: true }), message, stack, JSON.stringify(error)].join(),
      error,
    };
  }
}

test('the text that is mutated is valid', (t) => {
  t.notThrows(() => parse(text)[Symbol.dispose]());
});

test('no broken document crashes the parser or shows a secret', (t) => {
  const seed = Number(process.env['CONFIG_SEED'] ?? 20_260_101);
  const random = randomFrom(seed);
  const uses: Record<string, (broken: string) => string> = {
    parse: (broken) => {
      using configuration = parse(broken);
      return (
        inspect(configuration, { depth: 20, showHidden: true }) + JSON.stringify(configuration.documents)
      );
    },
    redact,
    diff: (broken) => diff(text, broken),
  };
  for (let round = 0; round < 600; round += 1) {
    let broken = text;
    for (let step = random(3); step >= 0; step -= 1) broken = mutate(broken, random);
    for (const [use, run] of Object.entries(uses)) {
      const { shown, error } = outcome(() => run(broken));
      const where = `${use}, seed ${seed}, round ${round}:\n${broken}`;
      if (error !== undefined && !(error instanceof ConfigError)) t.fail(`${inspect(error)}: ${where}`);
      if (shown.includes(trace)) t.fail(`secret in ${shown}\n${where}`);
    }
  }
  t.pass();
});

const key = (entry: string): string => text.replace(/keys:[^]*mount/u, `keys: [${entry}]\nmount`);

test('a secret where it does not belong is not quoted', (t) => {
  const misplaced = [
    `{static: ${marker}}`,
    `{static: {${marker}}}`,
    `{static: {${marker}: 1, ${marker}: 2}}`,
    `{static: {passphrase: {${marker}: 1}}}`,
    `{static: {passphrase: [${marker}]}}`,
    `{static: {passphrase: !${marker} x}}`,
    `{static: {passphrase: *${marker}}}`,
    `{static: {passphrase: &${marker} x}}`,
    `{static: {passphrase: "\\z${marker}"}}`,
    `{${marker}: {}}`,
    marker,
  ];
  for (const entry of misplaced) {
    const { shown, error } = outcome(() => inspect(parse(key(entry))));
    t.true(error instanceof ConfigError, entry);
    t.false(shown.includes(marker), `${entry}: ${shown}`);
  }
});
