import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import type { Command } from 'commander';

import { osctl } from './command-line.ts';
import { examplesOf, wordsOf } from './help-examples.ts';
import { everyCommand, wholeProgram } from './whole-program.ts';

const run = promisify(execFile);

test('every example in the help of a command is a line that osctl takes', async (t) => {
  const examples = everyCommand(await wholeProgram()).flatMap(examplesOf);
  t.true(examples.length > 60, `${examples.length}`);
  for (const line of new Set(examples)) {
    const program = await wholeProgram(); // what a line has set stays
    const called: string[] = [];
    for (const command of everyCommand(program))
      if (command.commands.length === 0) command.action(() => void called.push(command.name()));
    const [name, ...args] = wordsOf(line);
    t.is(name, 'osctl');
    await t.notThrowsAsync(program.parseAsync(args, { from: 'user' }), line);
    t.is(called.length, 1, line);
  }
});

/** Documents show those of clusters, each with what it needs before; each shell has its own line for the other. */
const shownElsewhere = /^(?:cluster |remote-provision-launch|completion|__complete)/u;

test('the help of every command shows how it is called', async (t) => {
  const nameOf = (command: Command): string =>
    command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
  const commands = everyCommand(await wholeProgram()).filter((each) => each.commands.length === 0);
  const bare = commands.filter((each) => examplesOf(each).length === 0).map(nameOf);
  t.deepEqual(
    bare.filter((name) => !shownElsewhere.test(name)),
    [],
  );
});

test('the reference has a page for each command, with every flag of it', async (t) => {
  const directory = await temporaryDirectory(t);
  const { code, out, error } = await osctl(['reference', 'markdown', directory, '--json']);
  t.is(code, 0, error);
  const files = await readdir(directory);
  t.is((JSON.parse(out) as unknown[]).length, files.length);
  const program = await wholeProgram();
  const visible = program.createHelp().visibleCommands(program);
  t.deepEqual(
    files.toSorted(),
    ['README.md', ...visible.map((each) => `osctl-${each.name()}.md`)].toSorted(),
  );
  for (const command of visible) {
    const text = await readFile(join(directory, `osctl-${command.name()}.md`), 'utf8');
    for (const each of everyCommand(command)) {
      const hidden = each.options.filter((option) => option.hidden);
      for (const option of each.options)
        if (!hidden.includes(option))
          t.true(text.includes(option.long ?? option.flags), `${each.name()}: ${option.flags}`);
    }
  }
});

test('the package of osctl brings its manual pages, written when it is packed', async (t) => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { files, directories, scripts } = JSON.parse(text) as {
    files: readonly string[];
    directories: { man: string };
    scripts: { prepack: string };
  };
  const [node, file, ...words] = scripts.prepack.split(' ');
  t.deepEqual([node, file], ['node', 'bin/osctl.js']);
  const place = words.pop() ?? '';
  t.true(files.includes(place));
  t.is(directories.man, `./${place}`);
  const directory = await temporaryDirectory(t);
  t.is((await osctl([...words, directory])).code, 0);
  t.true((await readdir(directory)).includes('osctl.1'));
});

test('a page that can not be written is named, and those before it are whole', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'osctl-get.1'));
  const { code, out, error } = await osctl(['reference', 'man', directory]);
  t.is(code, 1);
  t.is(out, '');
  t.is(error, `osctl: ${join(directory, 'osctl-get.1')}: EISDIR; what was written before is whole\n`);
  t.regex(await readFile(join(directory, 'osctl.1'), 'utf8'), /^\.TH "OSCTL" 1 /u);
  const file = join(directory, 'osctl.1');
  const below = await osctl(['reference', 'man', join(file, 'man1')]);
  t.is(below.error, `osctl: ${join(file, 'man1')}: ENOTDIR; what was written before is whole\n`);
});

test('manual pages are ones that groff takes without a warning', async (t) => {
  const directory = await temporaryDirectory(t);
  t.is((await osctl(['reference', 'man', directory])).code, 0);
  const files = (await readdir(directory)).map((name) => join(directory, name));
  const { stderr } = await run('groff', ['-man', '-ww', '-z', '-Tutf8', '-K', 'utf8', ...files]).catch(
    (failure: unknown) => failure as { stderr: string },
  );
  t.is(stderr, '');
  const { stdout } = await run('groff', ['-man', '-Tutf8', '-P-cbou', join(directory, 'osctl-get.1')]);
  t.regex(stdout, /osctl-get - print resources/u);
  t.regex(stdout, /^ +--selector <labels>|-l, --selector <labels>/mu);
});
