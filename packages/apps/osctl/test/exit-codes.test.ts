import { failure } from '@nodecore/api';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { readFile } from 'node:fs/promises';
import { exitCodeOf, exitCodes, exitWords } from '../src/exit.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status, type FakeNodeOptions } from './fake-node.ts';

/** Where the errors are defined that a command can end with. */
const sources = [
  'apps/agent/src/services/errors.ts',
  'apps/osctl/src/errors.ts',
  'apps/osctl/src/outcome.ts',
  'apps/osctl/src/files/errors.ts',
  'foundation/cli/src/output-error.ts',
  'foundation/cli/src/usage-error.ts',
  'apps/osctl/src/inject/manifest-error.ts',
  'apps/osctl/src/kvstore/verify.ts',
  'apps/osctl/src/validate/invalid-error.ts',
  'contract/api/src/errors.ts',
  'contract/api/src/osconfig-errors.ts',
  'contract/config/src/errors.ts',
  'foundation/pki/src/errors.ts',
  'network/bpf/src/errors.ts',
  'network/capture/src/errors.ts',
  'lab/clusters/src/errors.ts',
  'workload/kvstore/src/errors.ts',
];

/** An error for each code that a file defines, without its fields. */
async function errorsOf(path: string): Promise<readonly { readonly code: string }[]> {
  const url = new URL(`../../../${path}`, import.meta.url);
  const text = await readFile(url, 'utf8');
  const types = (await import(url.href)) as Record<string, { readonly prototype: object }>;
  return Array.from(text.matchAll(/class (\w+) extends CodedError<([^>]+)>/gu), ([, name = '', of = '']) => {
    const codes = (of.includes('ERR_') ? of : text).match(/'ERR_\w+'/gu) ?? [];
    return codes.map((quoted) => {
      const error: object = Object.create(types[name]?.prototype ?? null, {
        code: { value: quoted.slice(1, -1) },
      });
      return error as { readonly code: string };
    });
  }).flat();
}

test('the table of exit codes in the documentation is what the code has', async (t) => {
  const text = await readFile(new URL('../../../../docs/exit-codes.md', import.meta.url), 'utf8');
  const rows = Array.from(text.matchAll(/^\| (\d+) \|(.*)\|(.*)\|$/gmu), ([, code, words, errors = '']) => ({
    code: Number(code),
    words,
    errors: Array.from(errors.matchAll(/`(ERR_\w+)`/gu), ([, error = '']) => error).toSorted(),
  }));
  t.deepEqual(
    rows.map(({ code }) => code),
    Object.values(exitCodes),
  );
  const all = (await Promise.all(sources.map(errorsOf))).flat();
  for (const { code, errors } of rows) {
    const known = all.filter((error) => exitCodeOf(error) === code).map((error) => error.code);
    if (code !== exitCodes.failed) t.deepEqual(errors, [...new Set(known)].toSorted(), `of ${code}`);
  }
  t.true(all.length > 90, 'all were found');
  const short = Object.entries(exitCodes)
    .map(([name, code]) => `${code} ${exitWords[name as keyof typeof exitCodes]}`)
    .join(', ');
  t.true((await osctl(['--help'])).out.includes(`Exit codes: ${short}.`));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  t.true(readme.includes(`Exit codes: ${short}; more in`));
});

/** A node that fails every call in the same way. */
function failing(error: ReturnType<typeof failure>): FakeNodeOptions {
  type Answer = ((error: unknown) => void) | undefined;
  const fail = (call: { emit: (event: 'error', error: unknown) => void }, answer: Answer): void => {
    if (answer === undefined) call.emit('error', error);
    else answer(error);
  };
  const names = [
    'rotateKeys addRecoveryKey backupHeader restoreHeader capture interfaces files readFile removeFile stop proveEmpty wipe',
    'wipeVolumes reset trim members status alarms disarmAlarms snapshot defragment leave removeMember forfeitLeadership',
    'downgrade recover bootstrap recoverSpace',
  ];
  const all = Object.fromEntries(names.flatMap((line) => line.split(' ')).map((name) => [name, fail]));
  return { volumes: all, captures: all, storage: all, trims: all, kvstore: all };
}

const commands = [
  'pcap',
  'pcap --list-on-node',
  'pcap --remove-on-node x',
  'trim',
  'volume rotate-keys',
  'volume recovery-key u-data --yes',
  'volume header-backup u-data -o DIRECTORY/header',
  'wipe disk sda --yes',
  'wipe volume u-data --yes',
  'reset --yes --wait=false',
  'kvstore members',
  'kvstore status',
  'kvstore alarm list',
  'kvstore leave --yes',
  'kvstore remove-member 1f',
  'kvstore forfeit-leadership',
  'kvstore downgrade validate 3.5',
  'kvstore recover-space',
  'kvstore snapshot DIRECTORY/db',
  'bootstrap',
];

const answers: readonly (readonly [name: string, status: status, code: number])[] = [
  ['not found', status.NOT_FOUND, exitCodes.notFound],
  ['denied', status.PERMISSION_DENIED, exitCodes.denied],
  ['a deadline', status.DEADLINE_EXCEEDED, exitCodes.unreachable],
  ['a state that does not allow it', status.FAILED_PRECONDITION, exitCodes.failed],
];

for (const [name, code, exit] of answers)
  test(`every command ends in the same way when the node answers with ${name}`, async (t) => {
    const node = await startFakeNode(t, failing(failure(code, 'said so')));
    const directory = await temporaryDirectory(t);
    const env = await clientConfig(t, { endpoints: [node.endpoint] });
    for (const line of commands) {
      const args = line.replace('DIRECTORY', directory).split(' ');
      const outcome = await osctl(args, { env });
      t.is(outcome.code, exit, `${line}: ${outcome.error}`);
      const lines = outcome.error.split('\n').filter((each) => each.startsWith('osctl: '));
      t.is(lines.length, 1, `${line}: ${outcome.error}`);
      t.true(lines[0]?.startsWith(`osctl: ${node.endpoint}: said so`), `${line}: ${outcome.error}`);
    }
  });
