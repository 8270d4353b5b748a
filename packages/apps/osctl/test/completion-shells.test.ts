import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { command, findProgram, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';

const bin = fileURLToPath(new URL('../bin/osctl.js', import.meta.url));

/** Where a shell finds osctl, its script for completion and a file, and a cluster it completes nodes of. */
async function withShell(t: ExecutionContext, shell: 'bash' | 'zsh' | 'fish') {
  const directory = await temporaryDirectory(t);
  await symlink(bin, join(directory, 'osctl'));
  await writeFile(join(directory, 'script'), (await osctl(['completion', shell])).out);
  await writeFile(join(directory, 'staged-file'), '');
  const env = {
    ...(await clientConfig(t, { endpoints: ['10.0.0.1:51000'], nodes: ['10.0.0.8'] })),
    HOME: directory,
    TERM: 'dumb',
    PATH: `${directory}:${dirname(process.execPath)}:${process.env['PATH']}`,
  };
  return { directory, env };
}

type Row = readonly [line: string, words: readonly string[]];

const prompt = 'ready> ';

/**
 * What a shell makes of lines that are typed up to a TAB, at a terminal: the words that are there then. Each is typed when the
 * shell asks for it: a shell that starts or works has its terminal otherwise.
 */
async function typed(
  t: ExecutionContext,
  shell: readonly string[],
  rows: readonly Row[],
  { directory, env }: { readonly directory: string; readonly env: Readonly<Record<string, string>> },
): Promise<string[][]> {
  t.timeout(120_000, `${shell[0]} never asked for a line`);
  const child = spawn('script', ['-qec', shell.join(' '), '/dev/null'], {
    env: { ...env, INPUTRC: '/dev/null', PS1: prompt },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const asks = async (after: RegExp): Promise<void> => {
    for (;;) {
      const found = after.exec(output);
      if (found !== null && output.includes(prompt, found.index + found[0].length)) return;
      await once(child.stdout, 'data');
    }
  };
  await asks(/^/u);
  child.stdin.write(`source ${join(directory, 'script')}; echo "sour""ced"\r`);
  await asks(/sourced/u);
  const words: string[][] = [];
  for (const [line] of rows) {
    output = '';
    // To the beginning of the line: the words are printed in place of being run.
    child.stdin.write(`${line}\t"END"\u0001printf '<%s>' \r`);
    await asks(/<osctl>/u);
    const [, printed = ''] = /<osctl>(.*)/u.exec(output) ?? [];
    words.push(Array.from(printed.matchAll(/<([^>]*)>/gu), ([, word = '']) => word));
  }
  child.stdin.write('exit\r');
  await ended;
  return words;
}

testWith(program('bash'), program('script'))(
  'bash completes at a terminal what has = and : in it',
  async (t) => {
    const place = await withShell(t, 'bash');
    const rows: readonly Row[] = [
      ['osctl ver', ['version', 'END']],
      ['osctl get --outp', ['get', '--output', 'END']],
      ['osctl --context=te', ['--context=test', 'END']],
      ['osctl apply --mode st', ['apply', '--mode', 'staged', 'END']],
      ['osctl apply --mode=st', ['apply', '--mode=staged', 'END']],
      ['osctl disks -o jsonp', ['disks', '-o', 'jsonpath=END']],
      ['osctl version -n 10.0.0.1:', ['version', '-n', '10.0.0.1:51000', 'END']],
      ['osctl version --nodes=10.0.0.8,10.0.0.1:5', ['version', '--nodes=10.0.0.8,10.0.0.1:51000', 'END']],
      [
        `osctl apply --file=${place.directory}/stag`,
        ['apply', `--file=${place.directory}/staged-file`, 'END'],
      ],
      ['osctl version -n 10.0.0.9:', ['version', '-n', '10.0.0.9:END']],
    ];
    t.deepEqual(
      await typed(t, ['bash', '--norc', '--noprofile', '-i'], rows, place),
      rows.map(([, words]) => [...words]),
    );
  },
);

testWith(program('zsh'), program('script'))(
  'zsh completes commands, flags, their values and files at a terminal',
  async (t) => {
    const place = await withShell(t, 'zsh');
    await writeFile(
      join(place.directory, '.zshrc'),
      `unsetopt prompt_sp; PROMPT='${prompt}'; stty columns 1000; autoload -Uz compinit; compinit -D -u\n`,
    );
    const rows: readonly Row[] = [
      ['osctl ver', ['version', 'END']],
      ['osctl get --outp', ['get', '--output', 'END']],
      ['osctl apply --mode st', ['apply', '--mode', 'staged', 'END']],
      ['osctl apply --mode=st', ['apply', '--mode=staged', 'END']],
      ['osctl disks -o jsonp', ['disks', '-o', 'jsonpath=END']],
      ['osctl version -n 10.0.0.1:', ['version', '-n', '10.0.0.1:51000', 'END']],
      [
        `osctl apply --file=${place.directory}/stag`,
        ['apply', `--file=${place.directory}/staged-file`, 'END'],
      ],
    ];
    t.deepEqual(
      await typed(t, [findProgram('zsh') ?? '', '-i'], rows, place),
      rows.map(([, words]) => [...words]),
    );
  },
);

testWith(program('fish'))('fish completes commands, flags, their values and files', async (t) => {
  const { directory, env } = await withShell(t, 'fish');
  const rows: readonly Row[] = [
    ['osctl ver', ['version']],
    ['osctl get --outp', ['--output']],
    ['osctl apply --mode st', ['staged']],
    ['osctl apply --mode=st', ['--mode=staged']],
    ['osctl version -n 10.0.0.1:', ['10.0.0.1:51000']],
    [`osctl apply --file=${directory}/stag`, [`--file=${directory}/staged-file`]],
    ['osctl version nothing', []],
  ];
  const asked = rows.map(([line]) => `echo '<line>'; complete -C '${line}'`).join('; ');
  const { stdout } = await command(
    [findProgram('fish') ?? '', '--no-config', '-c', `source ${join(directory, 'script')}; ${asked}`],
    { env },
  );
  const found = stdout.split('<line>\n').slice(1);
  t.deepEqual(
    found.map((lines) => lines.split('\n').flatMap((line) => line.split('\t')[0] || [])),
    rows.map(([, words]) => [...words]),
  );
});
