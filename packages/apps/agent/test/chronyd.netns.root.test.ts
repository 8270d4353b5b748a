import { spawn } from 'node:child_process';
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as pki from '@nodecore/pki';
import { findProgram, privateNetwork, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { Supervisor } from '@nodecore/supervisor';
import { systemClock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { checkTime } from '../src/time/check-time.ts';
import { Chronyd, type ClockReport } from '../src/time/chronyd.ts';

test.before(async () => await privateNetwork());

/** A server of time in this network, which answers with the time of this machine. */
async function timeServer(t: ExecutionContext, directory: string): Promise<{ readonly authority: string }> {
  const ca = await pki.createWebAuthority('time');
  const { crt, key } = await pki.issueWebServer(ca, { names: ['localhost', '127.0.0.1'] });
  const file = (name: string): string => join(directory, name);
  await writeFile(file('server.crt'), crt);
  await writeFile(file('server.key'), key.bytes, { mode: 0o600 });
  await writeFile(
    file('server.conf'),
    [
      'allow',
      'local stratum 1',
      'cmdport 0',
      'bindcmdaddress /',
      `pidfile ${file('server.pid')}`,
      `ntsservercert ${file('server.crt')}`,
      `ntsserverkey ${file('server.key')}`,
      '',
    ].join('\n'),
  );
  const words = ['-x', '-d', '-u', 'root', '-f', file('server.conf')];
  const server = spawn(findProgram('chronyd') ?? '', words, { stdio: 'ignore' });
  t.teardown(() => server.kill('SIGKILL'));
  return { authority: ca.crt };
}

/** Asks until it follows somebody; the test's own limit ends it. */
async function following(chronyd: Chronyd, signal: AbortSignal): Promise<ClockReport> {
  for (;;) {
    const report = await chronyd.report();
    if (report?.tracking?.source !== undefined) return report;
    await systemClock.sleep(100, signal);
  }
}

testWith(
  root,
  program('chronyd'),
  program('chronyc'),
)(
  'a real server is followed when somebody vouches for it, with the right to set the clock and no other',
  async (t) => {
    const directory = await temporaryDirectory(t);
    await chmod(directory, 0o755); // it runs as somebody else
    const [chronydFile, chronyc] = ['chronyd', 'chronyc'].map((name) => findProgram(name) ?? '') as [
      string,
      string,
    ];
    const copy = join(directory, 'chronyd');
    await copyFile(chronydFile, copy);
    const { authority } = await timeServer(t, directory);
    const log: string[] = [];
    await using services = await Supervisor.open({ directory: join(directory, 'services'), tethered: true });
    await using chronyd = new Chronyd({
      log: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
      services: () => Promise.resolve(services),
      directory: join(directory, 'time'),
      ownDirectory: join(directory, 'own'),
      user: { name: 'nobody', uid: 65_534, gid: 65_534 },
      programs: { chronyd: copy, chronyc },
      flags: ['-x'], // the clock of this machine stays as it is
    });
    const signal = AbortSignal.timeout(60_000);
    // Nobody vouches for it yet, and what is to be authenticated is not asked otherwise.
    await chronyd.follow({ servers: ['localhost'], clocks: [], isAuthenticated: true });
    while (!log.some((line) => /TLS handshake with .* failed/.test(line)))
      await systemClock.sleep(50, signal);
    t.is((await chronyd.report())?.tracking?.source, undefined);
    await chronyd.follow({ servers: ['localhost'], clocks: [], isAuthenticated: true }, [authority]);
    const { tracking, sources } = await following(chronyd, signal);
    t.like(tracking, { stratum: 2 });
    t.like(sources[0], { state: 'followed', stratum: 1 });
    // One question says the same; both clocks are one, and its offset is nothing but what the way leaves open.
    const { address, stratum, offsetMicros, roundTripMicros } = await checkTime('127.0.0.1', { signal });
    t.deepEqual([address, stratum], ['127.0.0.1', 1]);
    t.true(Math.abs(offsetMicros) <= roundTripMicros / 2 + 2, `${offsetMicros} of ${roundTripMicros}`);

    const pid = (await readFile(join(directory, 'own', 'chronyd.pid'), 'utf8')).trim();
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    t.regex(status, /^Uid:\t65534\t65534\t65534\t65534$/mu);
    for (const set of ['Prm', 'Eff', 'Bnd', 'Amb'])
      t.regex(status, new RegExp(`^Cap${set}:\t0000000002000000$`, 'mu'));
    t.regex(status, /^NoNewPrivs:\t1$/mu);

    await chronyd.stop();
    await t.throwsAsync(readFile(`/proc/${pid}/status`), { code: 'ENOENT' });
    t.is(await chronyd.report(), undefined);
  },
);
