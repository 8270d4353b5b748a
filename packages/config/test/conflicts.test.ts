import test from 'ava';

import { codesOf, problemsOf, systemVolume, userVolume } from './fixtures/problems.ts';

test('the same document twice is reported at the second one', (t) => {
  const text = `${userVolume('')}---\n${userVolume('mount: {secure: false}')}`;
  const [problem] = problemsOf(text);
  t.like(problem, { code: 'document.duplicate', document: 'UserVolumeConfig/data', line: 7 });
  t.deepEqual(codesOf(`${systemVolume('STATE')}---\n${systemVolume('STATE')}`), ['document.duplicate']);
  t.deepEqual(codesOf(`${systemVolume('STATE')}---\n${systemVolume('EPHEMERAL')}`), []);
});

test('two kinds can not mount at one path, even while one of them is not served', (t) => {
  for (const kind of ['ExistingVolumeConfig', 'ExternalVolumeConfig']) {
    const other = `apiVersion: v1alpha1\nkind: ${kind}\nname: data\n`;
    t.deepEqual(codesOf(`${userVolume('')}---\n${other}`), ['kind.not_offered', 'mount_path.clash'], kind);
    t.deepEqual(
      codesOf(`${userVolume('')}---\n${other.replace('data', 'other')}`),
      ['kind.not_offered'],
      kind,
    );
  }
});
