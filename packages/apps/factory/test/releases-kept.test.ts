import { join } from 'node:path';

import test from 'ava';

import { failingFiles } from './failing-files.ts';
import { ask, runningFactory, submit, writeRelease } from './running-factory.ts';

for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'ESTALE', 'EACCES'] as const)
  for (const [what, name] of [
    ['can not be read', 'release.json'],
    ['can not be looked at', 'amd64/kernel'],
  ] as const)
    test.serial(`${code}: a release that is loaded stays when a file of it ${what}`, async (t) => {
      const said: string[] = [];
      const running = await runningFactory(t, { onWarning: (line) => said.push(line) });
      const { factory, options } = running;
      const path = `/image/${await submit(running, '{}')}/v1.14.0/metal-amd64-uki.efi`;
      const { headers } = await ask(running, path);
      const refused = join(options.releases, 'v1.14.0', name);
      {
        using _failing = failingFiles((each) => (each === refused ? code : undefined));
        for (let round = 0; round < 2; round += 1) await factory.reloadReleases();
        t.deepEqual(factory.versions, ['v1.14.0-alpha.0', 'v1.14.0']);
        t.is((await ask(running, '/readyz')).body.toString(), 'ready\n');
      }
      t.is(said.length, 1, 'it is said once');
      t.regex(said[0]!, new RegExp(`^stays as it was: v1\\.14\\.0: ${code}: .*${refused}'$`));
      await factory.reloadReleases();
      t.is((await ask(running, path)).headers['etag'], headers['etag']);
      t.is(said.length, 1);
    });

test.serial(
  'a release that was changed stays while nobody can say to what, and none of it is handed out',
  async (t) => {
    const running = await runningFactory(t, { onWarning: () => {} });
    const { factory, options } = running;
    const path = `/image/${await submit(running, '{}')}/v1.14.0/metal-amd64-uki.efi`;
    await ask(running, path);
    const directory = await writeRelease(options.releases, 'v1.14.0', {}, { 'vex.json': '{}' });
    {
      using _failing = failingFiles((each) => (each === join(directory, 'amd64/kernel') ? 'EIO' : undefined));
      await factory.reloadReleases();
      t.true(factory.versions.includes('v1.14.0'));
      t.is((await ask(running, `${path}.sha256`)).status, 503);
    }
    await factory.reloadReleases();
    t.is((await ask(running, path)).status, 200);
  },
);

test.serial(
  'a release that is not loaded is not for an error of the system, either, and everybody hears of its code alone',
  async (t) => {
    const said: string[] = [];
    const running = await runningFactory(t, { onWarning: (line) => said.push(line) });
    const { factory, options } = running;
    const directory = await writeRelease(options.releases, 'v1.14.1');
    for (const [name, code] of [
      ['release.json', 'EMFILE'],
      ['amd64/kernel', 'EIO'],
      ['release.json.sig', 'ENOENT'],
    ] as const) {
      const refused = join(directory, name);
      using _failing = failingFiles((each) => (each === refused ? code : undefined));
      await factory.reloadReleases();
      const { body } = await ask(running, '/readyz');
      t.is(body.toString(), `ready\nnot loaded: v1.14.1: ${code}\n`);
      t.true(said.at(-1)?.includes(refused), said.at(-1));
      t.deepEqual(factory.refused, said.slice(-1));
    }
    await factory.reloadReleases();
    t.deepEqual(factory.versions, ['v1.14.0-alpha.0', 'v1.14.0', 'v1.14.1']);
    {
      using _failing = failingFiles((each) =>
        each === join(directory, 'release.json') ? 'ENOENT' : undefined,
      );
      await factory.reloadReleases();
    }
    t.deepEqual(factory.versions, ['v1.14.0-alpha.0', 'v1.14.0'], 'what is gone is gone');
  },
);
