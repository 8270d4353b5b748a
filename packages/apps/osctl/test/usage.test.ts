import { isDestroying, similarCommands, similarFlags } from '@nodecore/cli';
import test from 'ava';
import type { Command } from 'commander';
import { absentCommands } from '../src/absent-commands.ts';
import { osctl } from './command-line.ts';
import { everyCommand, wholeProgram } from './whole-program.ts';

function has(parent: Command, name: string): Command | undefined {
  return parent.commands.find((each) => [each.name(), ...each.aliases()].includes(name));
}

/** Words that differ from one by a letter, and what is left when an end is cut off. */
function mistyped(word: string): string[] {
  const letters = Array.from(word);
  return letters.flatMap((_, at) => [
    letters.toSpliced(at, 1).join(''),
    letters.toSpliced(at, 0, 'x').join(''),
    letters.with(at, 'x').join(''),
    letters.slice(0, at).join(''),
  ]);
}

test('a command or a flag that destroys is never proposed, however it is mistyped', async (t) => {
  const program = await wholeProgram();
  let proposals = 0;
  for (const command of everyCommand(program)) {
    for (const each of command.commands)
      for (const word of [...mistyped(each.name()), 'restart', 'rest', 'restet']) {
        const names = similarCommands(command, word);
        proposals += names.length;
        const found = command.commands.filter((one) => names.some((name) => one.name() === name));
        t.deepEqual(found.filter(isDestroying), [], `${command.name()} ${word}`);
      }
    for (const { long } of command.options)
      for (const word of mistyped(long ?? '--')) {
        const names = similarFlags(command, word);
        const found = command.options.filter((one) => names.includes(one.long ?? ''));
        t.deepEqual(found.filter(isDestroying), [], `${command.name()} ${word}`);
      }
  }
  t.true(proposals > 100, 'others are');
});

test('what says that it destroys is marked so', async (t) => {
  const commands = everyCommand(await wholeProgram());
  const names = commands.filter(isDestroying).map((command) => command.name());
  t.deepEqual(names.toSorted(), [
    'delete',
    'destroy',
    'detach',
    'disk',
    'header-restore',
    'leave',
    'power',
    'reboot',
    'reboot',
    'remove',
    'remove',
    'remove-member',
    'reset',
    'rollback',
    'shutdown',
    'volume',
    'wipe',
  ]);
  // Who adds one that wipes, deletes or removes has to decide.
  for (const command of commands)
    if (/\b(?:destroy|wipe|delete|remove|blank)s?\b/iu.test(command.description()))
      t.true(isDestroying(command), `${command.parent?.name()} ${command.name()}`);
  for (const option of commands.flatMap((command) => command.options))
    if (/^(?:do not ask|replace|remove)|\bforce\b/iu.test(`${option.description} ${option.flags}`))
      t.true(isDestroying(option), option.flags);
});

test('conformance, which this version does not have, is named, and another command is not', async (t) => {
  for (const args of [
    ['conformance'],
    ['conformance', '--wait'],
    ['conformance', '--help'],
    ['help', 'conformance'],
  ]) {
    const { code, out, error } = await osctl(args);
    t.is(code, 2);
    t.is(out, '');
    t.regex(error, /^osctl: conformance is not in this version; /u);
  }
});

test('restart without what to restart is a usage error that names no other command', async (t) => {
  for (const args of [['restart'], ['restart', '--wait']]) {
    const { code, out, error } = await osctl(args);
    t.is(code, 2);
    t.is(out, '');
    t.regex(error, /^osctl: .*see osctl restart --help\n$/u);
    t.notRegex(error, /reset/u);
  }
});

test('absent commands are absent, and what they name instead is there', async (t) => {
  const program = await wholeProgram();
  for (const path of Object.keys(absentCommands)) {
    const [first = '', second] = path.split(' ');
    const found = second === undefined ? has(program, first) : has(has(program, first)!, second);
    t.is(found, undefined, path);
    const { code, error } = await osctl(path.split(' '));
    t.is(code, 2);
    t.true(error.startsWith(`osctl: ${path} is not in this version`), error);
    const [, instead] = /; osctl ([a-z]+)/u.exec(error) ?? [];
    if (instead !== undefined) t.not(has(program, instead), undefined, error);
  }
});

test('help of a command that is not there is an error, of one that is there is not', async (t) => {
  const absent = "osctl: unknown command 'nothing'; see osctl --help\n";
  for (const args of [['nothing'], ['nothing', '--help'], ['nothing', '-h'], ['help', 'nothing']])
    t.deepEqual(await osctl(args), { code: 2, out: '', error: absent });
  const inner = await osctl(['kvstore', 'nothing', '--help']);
  t.deepEqual([inner.code, inner.out], [2, '']);
  for (const args of [['get', 'disks', '--help'], ['kvstore', '--help'], ['kvstore', 'status', '-h'], ['-h']])
    t.is((await osctl(args)).code, 0, args.join(' '));
});

test('--version and -v print the version of the client', async (t) => {
  for (const flag of ['--version', '-v']) {
    const { code, out } = await osctl([flag]);
    t.is(code, 0);
    t.regex(out, /^osctl v\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?\n$/u);
  }
});

test('a mistyped flag is answered with the one that was meant', async (t) => {
  const { error } = await osctl(['get', '--contxt=a', 'disks']);
  t.is(error, "osctl: unknown option '--contxt=a' (Did you mean --context?); see osctl get --help\n");
});

const ignored: readonly (readonly [line: string, words: string])[] = [
  ['disks -i -n a -e b:1', '--insecure dials each node itself, and would ignore -e'],
  ['disks -i -n a --context b', '--insecure uses no context'],
  ['disks -i -n a --cluster b', '--insecure goes through no proxy'],
  ['disks -n a --cert-fingerprint b', '--cert-fingerprint goes with --insecure only'],
  ['--authv1-keys-dir keys disks -i -n a', '--insecure signs nothing'],
  ['version --client -n a', '--client asks no node'],
  ['-e a version --client', '--client asks no node'],
  ['version --client --insecure', '--client asks no node'],
  ['version --short -o json --client', '--short would be ignored: it goes with -o table'],
  ['-n a validate -c f -m metal', 'validate would ignore --nodes: it talks to no node'],
  ['-e a gen key --name f', 'key would ignore --endpoints: it talks to no node'],
  ['--authv1-keys-dir a gen key --name f', 'key would ignore --authv1-keys-dir: it talks to no node'],
  ['-n a gen config a https://a', 'config would ignore --nodes'],
  ['--cluster a config contexts', 'contexts would ignore --cluster'],
  ['-n a completion bash', 'completion would ignore --nodes'],
  ['-n a machineconfig patch f -p {}', 'patch would ignore --nodes'],
  ['apply-config -f f --timeout 5s', '--timeout would be ignored: it goes with --mode try'],
  ['patch mc -p {} --timeout 5s -m staged', '--timeout would be ignored: it goes with --mode try'],
  ['cgroups --preset cpu --interval 2s', '--interval would be ignored: it goes with --watch'],
  ['pressure --interval 2s', '--interval would be ignored: it goes with --watch'],
  ['get disks --match true --namespace x', '--match asks disks'],
  ['pcap --list-on-node -i lo', '--interface would be ignored: nothing is captured'],
  ['pcap --remove-on-node x -o y', '--output would be ignored: nothing is captured'],
  ['pcap --fetch-from-node x -o y --count 1', '--count would be ignored: nothing is captured'],
];

test('a flag that would be ignored is refused before anything is asked or written', async (t) => {
  for (const [line, words] of ignored) {
    const { code, out, error } = await osctl(line.split(' '));
    t.is(code, 2, line);
    t.is(out, '', line);
    t.true(error.startsWith(`osctl: ${words}`), `${line}: ${error}`);
  }
});

test('settings for all commands may stand before one that talks to no node', async (t) => {
  t.is((await osctl(['--osconfig', '/nonexistent', '--context', 'a', 'completion', 'bash'])).code, 0);
  const after = await osctl(['config', 'contexts', '--osconfig', '/nonexistent/config']);
  t.regex(after.error, /\/nonexistent\/config does not exist/u);
});
