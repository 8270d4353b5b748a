import { execFile } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import type { Command } from 'commander';

import { osctl } from './command-line.ts';
import { everyCommand, wholeProgram } from './whole-program.ts';

const run = promisify(execFile);

/** Lines of the help of a command that show how it is called. */
function examplesOf(command: Command): string[] {
  let text = '';
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (part: string) => void (text += part),
  });
  return text.split('\n').flatMap((line) => /^ {2}(?:.*\| )?(osctl .*)$/u.exec(line)?.[1] ?? []);
}

/** The words of a line as a shell makes them, up to a pipe, a redirection, a comment or another command. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [token] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gu)) {
    if (/^(?:[|<>#&;]|2>)/u.test(token)) break;
    words.push(
      token.replaceAll(
        /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gu,
        (_, single, double, other) =>
          single ?? (double as string | undefined)?.replaceAll(/\\(["\\$`])/gu, '$1') ?? other,
      ),
    );
  }
  return words;
}

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
