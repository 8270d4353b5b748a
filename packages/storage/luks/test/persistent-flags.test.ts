import { format, header, persistentFlags } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { output, program, testWith } from '@nodecore/testkit';

import { cheap, imageFile } from './image.ts';

const test = testWith(program('cryptsetup'));

test('the header keeps exactly the options that were set last, as cryptsetup shows them', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  t.true(await persistentFlags.set(path, ['no_write_workqueue', 'allow_discards', 'no_read_workqueue']));
  t.regex(
    await output(['cryptsetup', 'luksDump', path]),
    /^Flags:\s+allow-discards no-read-workqueue no-write-workqueue\s*$/m,
  );
  t.true(await persistentFlags.set(path, ['same_cpu_crypt']));
  t.deepEqual((await header.read(path))?.persistentFlags, ['same-cpu-crypt']);
});

test('options that are there already cost no write', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  t.false(await persistentFlags.set(path, []));
  await persistentFlags.set(path, ['allow_discards']);
  const dump = await output(['cryptsetup', 'luksDump', path]); // names the epoch, which every write raises
  t.false(await persistentFlags.set(path, ['allow_discards']));
  t.is(await output(['cryptsetup', 'luksDump', path]), dump);
});
