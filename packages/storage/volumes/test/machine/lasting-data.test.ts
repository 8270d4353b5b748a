import type { Mount } from '@nodecore/block';
import test from 'ava';

import { outlivesBoot } from '../../src/machine/lasting-data.ts';

const visible = (path: string): Promise<boolean> => Promise.resolve(path !== '/layers/upper');

function mount(target: string, type: string, superOptions: string): Mount {
  const options = ['rw', 'relatime'];
  const numbers = { id: Math.random(), parentId: 1, deviceNumber: '0:1' };
  return {
    ...numbers,
    root: '/',
    target,
    options,
    type,
    source: type,
    superOptions: superOptions.split(','),
  };
}

const root = mount('/', 'ext4', 'rw');
const ofImage = mount('/', 'overlay', 'rw,lowerdir=/lower,upperdir=/layers/upper,workdir=/layers/work');

for (const [name, lasts, all] of [
  ['a disk that can be written to', true, [root]],
  ['an image that can not', false, [mount('/', 'squashfs', 'ro')]],
  ['memory', false, [mount('/', 'rootfs', 'rw')]],
  ['memory on a disk', false, [root, mount('/var', 'tmpfs', 'rw')]],
  ['a disk on an image', true, [mount('/', 'erofs', 'ro'), mount('/var', 'xfs', 'rw,noquota')]],
  ['a disk beside it', false, [ofImage, mount('/var/lib', 'xfs', 'rw'), mount('/variable', 'xfs', 'rw')]],
  ['what is mounted over it', false, [root, mount('/var', 'xfs', 'rw'), mount('/var', 'tmpfs', 'rw')]],
  ['an overlay of the initramfs', false, [ofImage]],
  ['an overlay of layers that are only read', false, [mount('/', 'overlay', 'ro,lowerdir=/a:/b')]],
  [
    'an overlay that writes to memory',
    false,
    [root, mount('/run', 'tmpfs', 'rw'), mount('/var', 'overlay', 'rw,lowerdir=/l,upperdir=/run/u')],
  ],
  ['an overlay that writes to a disk', true, [root, mount('/var', 'overlay', 'rw,lowerdir=/l,upperdir=/u')]],
  ['no mount at all', false, []],
] as const) {
  test(`of /var: ${name} ${lasts ? 'outlives' : 'does not outlive'} the boot`, async (t) => {
    t.is(await outlivesBoot('/var', all, visible), lasts);
  });
}
