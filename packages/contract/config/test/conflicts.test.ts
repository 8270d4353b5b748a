import test from 'ava';

import { codesOf, problemsOf, systemVolume, userVolume } from './fixtures/problems.ts';

test('the same document twice is reported at the second one', (t) => {
  const text = `${userVolume('')}---\n${userVolume('mount: {secure: false}')}`;
  const [problem] = problemsOf(text);
  t.like(problem, { code: 'document.duplicate', document: 'UserVolumeConfig/data', line: 7 });
  t.deepEqual(codesOf(`${systemVolume('STATE')}---\n${systemVolume('STATE')}`), ['document.duplicate']);
  t.deepEqual(codesOf(`${systemVolume('STATE')}---\n${systemVolume('EPHEMERAL')}`), []);
});

test('two kinds can not mount at one path', (t) => {
  const rest = {
    ExistingVolumeConfig: `discovery: {volumeSelector: {match: 'volume.label == "x"'}}`,
    ExternalVolumeConfig: 'filesystemType: virtiofs\nmount: {virtiofs: {tag: x}}',
  };
  for (const [kind, fields] of Object.entries(rest)) {
    const other = `apiVersion: v1alpha1\nkind: ${kind}\nname: data\n${fields}\n`;
    t.deepEqual(codesOf(`${userVolume('')}---\n${other}`), ['mount_path.clash'], kind);
    t.deepEqual(codesOf(`${userVolume('')}---\n${other.replace('data', 'other')}`), [], kind);
  }
});

test('volumes that are mounted nowhere may share a name with one that is', (t) => {
  const raw = userVolume('').replace('UserVolumeConfig', 'RawVolumeConfig');
  const swap = userVolume('').replace('UserVolumeConfig', 'SwapVolumeConfig');
  t.deepEqual(codesOf([userVolume(''), raw, swap].join('---\n')), []);
});
