import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { archived, listed, tree } from './file-streams.ts';

const run = promisify(execFile);

function inode(path: string): string {
  return execFileSync('stat', ['-c', '%i', path]).toString();
}

// One after the other: each stream has a thread, of which a process has few at once.
test.serial(
  'an archive is what GNU tar makes of it: nothing differs, and sockets alone are left out',
  async (t) => {
    const root = await tree(t);
    execFileSync('setcap', ['cap_net_raw=ep', join(root, 'a/small')]);
    const { tar, report } = await archived(root);
    const place = await temporaryDirectory(t);
    const file = join(place, 'tree.tar');
    writeFileSync(file, tar);
    const { stdout } = await run('tar', ['--diff', '--numeric-owner', '-f', file, '-C', root]);
    t.is(stdout, '', 'neither content nor mode, owner, time or target');
    const names = async (command: string, words: string[]): Promise<string[]> =>
      (await run(command, words, { encoding: 'latin1', cwd: root })).stdout.split('\n').toSorted();
    const quoted = ['--quoting-style=c', '-tf'];
    execFileSync('bash', ['-c', `tar -cf ${place}/theirs.tar . 2>/dev/null; true`], { cwd: root });
    const theirs = await names('tar', [...quoted, join(place, 'theirs.tar')]);
    t.deepEqual(
      await names('tar', [...quoted, file]),
      theirs.map((name) => (name === '"./"' ? name : name.replace('"./', '"'))).toSorted(),
    );
    t.is(report.sockets, 1n);
    t.deepEqual(report.failures, []);
    mkdirSync(join(place, 'out'));
    await run('tar', ['--xattrs', '--xattrs-include=*', '-xpf', file, '-C', join(place, 'out')]);
    t.regex(execFileSync('getcap', [join(place, 'out/a/small')]).toString(), /cap_net_raw=ep/);
    const details = await listed({ root: join(root, 'a/small'), details: true });
    t.deepEqual(details.entries[0]!.attributes, ['security.capability']);
    t.is(
      inode(join(place, 'out/a/b/large')),
      inode(join(place, 'out/a/b/c/again')),
      'one file with two names',
    );
  },
);

test.serial(
  'files of the kernel, which say that they are empty or a page long, are in the archive as they read',
  async (t) => {
    const { tar, report } = await archived('/sys/kernel/mm');
    const place = await temporaryDirectory(t);
    writeFileSync(join(place, 'sys.tar'), tar);
    await run('tar', ['-xf', join(place, 'sys.tar'), '-C', place]);
    const name = 'transparent_hugepage/enabled';
    t.is(readFileSync(join(place, name), 'utf8'), readFileSync(join('/sys/kernel/mm', name), 'utf8'));
    t.is(Number(report.failed), report.failures.length);
  },
);
