import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import test from 'ava';

import { Changes, shown } from '../../src/new/change.ts';
import { nameOf } from '../../src/new/name.ts';
import { type Part, type Place, plan } from '../../src/new/plan.ts';
import { command } from '../../src/index.ts';

const checkout = fileURLToPath(new URL('../../../../..', import.meta.url));
const program = join(checkout, 'packages/foundation/testkit/src/new/run.ts');

/** The files that a new command changes. */
async function central(name: string): Promise<string[]> {
  const changes = new Changes(checkout);
  await plan(changes, 'command', name);
  return changes.all.filter(({ before }) => before !== undefined).map(({ path }) => path);
}

function run(...words: readonly string[]): ReturnType<typeof command> {
  return command([process.execPath, '--conditions=source', program, ...words]);
}

const bad = ['', 'Clock', 'clock_offset', '-clock', 'clock-', 'a--b', '1st', 'clock offset', '../x', 'class'];

test('a name is a kebab-case noun, and no word of the language', (t) => {
  for (const text of bad) t.throws(() => nameOf(text), { code: 'ERR_NEW_NAME' }, text);
  t.deepEqual(nameOf('clock-offset'), {
    kebab: 'clock-offset',
    camel: 'clockOffset',
    pascal: 'ClockOffset',
    words: 'clock offset',
  });
});

test('a command that exists is refused, by its name and by its aliases', async (t) => {
  for (const name of ['trim', 'mount', 'configuration'])
    await t.throwsAsync(plan(new Changes(checkout), 'command', name), { code: 'ERR_NEW_EXISTS' }, name);
});

test('a new command changes two central files, and one more where it was said to be missing', async (t) => {
  const both = ['packages/apps/osctl/src/commands.ts', 'packages/apps/osctl/src/schema/answers/machines.ts'];
  t.deepEqual(await central('clock-offset'), both);
  t.deepEqual(await central('conformance'), [...both, 'packages/apps/osctl/src/absent-commands.ts']);
});

test('a method of the API that exists is refused, and a service that does not', async (t) => {
  const cases: readonly (readonly [name: string, service: string, code: string])[] = [
    ['rotate-keys', 'volume', 'ERR_NEW_EXISTS'],
    ['trim', 'trim', 'ERR_NEW_EXISTS'],
    ['socket-process', 'socket', 'ERR_NEW_EXISTS'], // a message
    ['clock-rate', 'nothing', 'ERR_NEW_NAME'],
    ['clock-rate', '../x', 'ERR_NEW_NAME'],
  ];
  for (const [name, service, code] of cases)
    await t.throwsAsync(
      plan(new Changes(checkout), 'rpc', name, { service }),
      { code },
      `${service} ${name}`,
    );
  const reason = async (service: string): Promise<string | undefined> =>
    (await t.throwsAsync(plan(new Changes(checkout), 'rpc', 'clock-rate', { service })))?.message;
  t.regex((await reason('nothing')) ?? '', /it has capture, .*machine/u);
  t.regex((await reason('storage')) ?? '', /^several features serve StorageService: .*-service\.ts does$/u);
  const usage = { code: 'ERR_NEW_USAGE' };
  await t.throwsAsync(plan(new Changes(checkout), 'rpc', 'clock-rate'), usage, 'no service is the usual one');
  await t.throwsAsync(plan(new Changes(checkout), 'command', 'clock', { service: 'machine' }), usage);
});

test('a resource names the feature that writes it, and a feature that exists is refused', async (t) => {
  const refuse = async (part: Part, name: string, code: string, place: Place = {}): Promise<void> => {
    await t.throwsAsync(plan(new Changes(checkout), part, name, place), { code }, name);
  };
  await refuse('resource', 'clock-state', 'ERR_NEW_USAGE');
  await refuse('resource', 'clock-state', 'ERR_NEW_NAME', { feature: 'nothing' });
  await refuse('resource', 'pressure', 'ERR_NEW_EXISTS', { feature: 'pressure' });
  await refuse('feature', 'pressure', 'ERR_NEW_EXISTS');
  await refuse('feature', 'clock', 'ERR_NEW_USAGE', { feature: 'pressure' });
});

test('--dry-run prints what would be written, and writes nothing', async (t) => {
  const { code, stdout, stderr } = await run('command', 'clock-offset', '--dry-run');
  t.is(code, 0, stderr);
  t.true(stdout.includes('new   packages/apps/osctl/src/clock-offset/command.ts\n'));
  t.true(stdout.includes("  + test('clock-offset prints"));
  t.regex(stdout, /^edit {2}packages\/apps\/osctl\/src\/commands\.ts\n {2}\+/mu);
  t.false(existsSync(join(checkout, 'packages/apps/osctl/src/clock-offset')));
});

test('what can not be made is one line that says how, before anything is written', async (t) => {
  const [none, name, known] = await Promise.all([run(), run('command', 'Clock'), run('command', 'trim')]);
  t.deepEqual([none.code, name.code, known.code], [2, 2, 2]);
  t.regex(none.stderr, /^new: npm run new -- command\S* NAME .*\n$/u);
  t.is(name.stderr, 'new: "Clock" is no kebab-case noun, such as clock or clock-offset\n');
  t.is(known.stderr, 'new: osctl trim exists\n');
});

test('a change is shown as the lines that come and go', (t) => {
  t.is(shown({ path: 'a', before: 'x\ny\n', after: 'x\nz\n' }), 'edit  a\n  - y\n  + z');
});
