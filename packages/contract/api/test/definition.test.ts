import test from 'ava';
import { namesOf, resolveType, type ResourceDefinition } from '../src/definition.ts';

function definition(type: string, displayType: string, aliases: readonly string[] = []): ResourceDefinition {
  return {
    type,
    displayType,
    aliases,
    defaultNamespace: 'runtime',
    printColumns: [],
    sensitive: false,
    description: '',
  };
}

const disks = definition('Disks.block.nodecore.dev', 'Disk');
const volumes = definition('VolumeStatuses.block.nodecore.dev', 'VolumeStatus', ['vs']);
const mounts = definition('MountStatuses.block.nodecore.dev', 'MountStatus', ['mounts']);
const kernelMounts = definition('Mounts.kernel.nodecore.dev', 'Mount');
const all = [disks, volumes, mounts, kernelMounts];

test('a type answers to its plural, singular, every prefix and its aliases, in any case', (t) => {
  t.deepEqual(
    [...namesOf(volumes)],
    [
      'volumestatuses',
      'volumestatuses.block',
      'volumestatuses.block.nodecore',
      'volumestatuses.block.nodecore.dev',
      'volumestatus',
      'vs',
    ],
  );
  for (const name of ['disk', 'Disks', 'DISKS.block', 'Disks.block.nodecore.dev'])
    t.deepEqual(resolveType(all, name), [disks], name);
});

test('an alias comes before a name that another type merely has', (t) => {
  t.deepEqual(resolveType(all, 'mounts'), [mounts]);
  t.deepEqual(resolveType(all, 'mounts.kernel'), [kernelMounts]);
});

test('an unknown name means nothing, and an ambiguous one means several', (t) => {
  t.deepEqual(resolveType(all, 'nothing'), []);
  const twin = definition('Disks.cloud.nodecore.dev', 'Disk');
  t.deepEqual(resolveType([...all, twin], 'disks'), [disks, twin]);
});
