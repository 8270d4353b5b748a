import test from 'ava';

import { assetNames, keyOf, parseAsset, parsePxe } from '../src/assets/asset.ts';
import { platforms } from '../src/assets/platforms.ts';
import { assetsOf, systems } from '../src/ui/systems.ts';

test('every name of every platform is read as one image, and each as another', (t) => {
  const keys = new Map<string, string>();
  for (const platform of platforms)
    for (const name of assetNames(platform)) {
      const { asset, fileName, proof } = parseAsset(`${name}.sha512`);
      t.is(asset.platform, platform, name);
      t.is(fileName, name);
      t.is(proof, 'sha512');
      t.is(asset.isSecureBoot, name.includes('-secureboot'));
      t.true(name.includes(asset.architecture));
      const key = `${keyOf(asset)} ${JSON.stringify(asset.disk)}`;
      t.is(keys.get(key), undefined, `${name} is ${keys.get(key)}`);
      keys.set(key, name);
    }
  t.true(keys.size > 900, `${keys.size}`);
});

test('architectures have the names that other programs give them', (t) => {
  for (const name of ['x86_64', 'i386']) {
    t.is(parseAsset(`kernel-${name}`).asset.architecture, 'amd64');
    t.is(parseAsset(`digital-ocean-${name}.raw`).asset.architecture, 'amd64');
    t.is(parsePxe(`metal-${name}-secureboot`).architecture, 'amd64');
  }
});

test('the disk image that a platform takes is one of its names', (t) => {
  for (const { name, architectures, diskImage } of platforms) {
    if (diskImage === undefined) continue;
    const { disk } = parseAsset(`${name}-${architectures[0]}.${diskImage}`).asset;
    t.is([disk?.format, disk?.compression].filter(Boolean).join('.'), diskImage);
  }
});

test('pages offer images that there are', (t) => {
  for (const system of systems)
    for (const architecture of system.architectures)
      for (const isSecureBoot of system.hasSecureBoot ? [false, true] : [false])
        for (const { name } of assetsOf(system, architecture, isSecureBoot))
          t.is(parseAsset(name).asset.architecture, architecture, name);
});

test('an installer without a platform is that of metal', (t) => {
  t.deepEqual(parseAsset('installer-amd64.tar').asset, parseAsset('metal-installer-amd64.tar').asset);
  t.true(parseAsset('installer-arm64-secureboot.tar').asset.isSecureBoot);
});

const wrong: readonly (readonly [name: string, why: RegExp])[] = [
  ['metal-amd64.img', /no such image; nearest: metal-amd64\.iso, metal-amd64\.raw/],
  ['metal-rpi_generic-arm64.raw', /a board is no part of a name, but the overlay of a schematic; nearest: /],
  ['aws-amd64.iso', /aws: nothing starts from an ISO there; from a disk image$/],
  ['vultr-amd64.raw', /vultr: nothing starts from a disk image there; from an ISO, iPXE$/],
  ['gcp-amd64-secureboot.raw', /gcp: it has no Secure Boot$/],
  ['upcloud-arm64.raw', /upcloud: it has no machines of arm64; nearest: amd64$/],
  ['cmdline-aws', /no such image; nearest: cmdline-aws-amd64/],
  ['kernel-amd64-secureboot', /no such image; nearest: /],
  ['installer-amd64.iso', /no such image; nearest: /],
  ['constructor-amd64.raw', /no such image; nearest: /],
  ['metal-constructor.raw', /no such image; nearest: metal-/],
  ['metal-amd64.raw.sha256.sigstore.json', /no such image; nearest: metal-amd64\.raw/],
  ['metal-amd64.raw.sha256.sha256', /no such image; nearest: metal-amd64\.raw/],
  ['METAL-amd64.raw', /no such image; nearest: metal-amd64\.raw/],
  ['metal-amd64.raw\n', /no such image; nearest: metal-amd64\.raw/],
  ['', /no such image; nearest: /],
];

for (const [name, why] of wrong)
  test(`no name of an image, and what would be right: ${JSON.stringify(name)}`, (t) => {
    t.throws(() => parseAsset(name), { code: 'ERR_FACTORY_ASSET', message: why });
  });

test('a name of any length is refused at once', (t) => {
  const started = performance.now();
  t.throws(() => parseAsset(`${'metal-'.repeat(10_000)}amd64.raw`), { code: 'ERR_FACTORY_ASSET' });
  t.throws(() => parseAsset('-'.repeat(60_000)), { code: 'ERR_FACTORY_ASSET' });
  t.true(performance.now() - started < 500);
});
