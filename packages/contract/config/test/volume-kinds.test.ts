import test from 'ava';

import { documentOf, parse } from '@nodecore/config';
import { codesOf, problemsOf, userVolume } from './fixtures/problems.ts';

const block = (kind: string, provisioning?: string): string =>
  userVolume('', provisioning).replace('UserVolumeConfig', kind);

function foreign(kind: string, fields: string, name: string = 'data'): string {
  return `apiVersion: v1alpha1\nkind: ${kind}\nname: ${name}\n${fields}\n`;
}

const label = `discovery: {volumeSelector: {match: 'volume.partition_label == "MY-DATA"'}}`;
const share = 'filesystemType: virtiofs\nmount: {virtiofs: {tag: shared}}';

test('raw and swap volumes are partitions with sizes and keys like those of users', (t) => {
  const keys = 'encryption: {provider: luks2, keys: [{nodeID: {}}]}';
  using configuration = parse(
    ['RawVolumeConfig', 'SwapVolumeConfig']
      .map((kind) => `${block(kind, 'maxSize: 25%')}${keys}`)
      .join('\n---\n'),
  );
  const [raw] = configuration.all('RawVolumeConfig');
  const [swap] = configuration.all('SwapVolumeConfig');
  t.like(raw, { kind: 'raw', id: 'r-data', provisioning: { minSize: 100n << 20n, grow: false } });
  t.like(swap, { kind: 'swap', id: 's-data', provisioning: { maxSize: { digits: 25n, decimals: 0 } } });
  t.deepEqual(
    [raw, swap].map((volume) => volume?.encryption?.keys[0]?.kind),
    ['nodeID', 'nodeID'],
  );
  t.deepEqual(configuration.volumes.map(documentOf), ['RawVolumeConfig/data', 'SwapVolumeConfig/data']);
});

test('raw and swap volumes need a place and a size, and have nothing to mount', (t) => {
  for (const kind of ['RawVolumeConfig', 'SwapVolumeConfig']) {
    t.deepEqual(codesOf(foreign(kind, '')), ['disk_selector.required', 'size.required'], kind);
    t.deepEqual(codesOf(block(kind, 'minSize: 2GiB, maxSize: 1GiB')), ['size.min_gt_max'], kind);
    for (const field of ['mount', 'filesystem', 'trim', 'volumeType'])
      t.deepEqual(codesOf(`${block(kind)}${field}: {}`), ['unknown_field'], field);
  }
});

function blankOf(fields: string): string | undefined {
  using configuration = parse(block('RawVolumeConfig', `minSize: 1GiB${fields}`));
  return configuration.all('RawVolumeConfig')[0]?.blank;
}

test('a raw volume is handed over with zeros in it unless its document says otherwise', (t) => {
  t.is(blankOf(''), 'zeroes');
  for (const method of ['zeroes', 'discard', 'none'] as const) t.is(blankOf(`, blank: ${method}`), method);
});

test('an existing volume is found by a selector over volumes and disks, and mounted as it says', (t) => {
  using configuration = parse(
    foreign('ExistingVolumeConfig', `${label}\nmount: {readOnly: true, secure: false}`),
  );
  const [volume] = configuration.all('ExistingVolumeConfig');
  t.like(volume, {
    kind: 'existing',
    id: 'e-data',
    mount: { readOnly: true, secure: false, disableAccessTime: false },
  });
  t.is(volume?.selector.text, 'volume.partition_label == "MY-DATA"');
  using plain = parse(foreign('ExistingVolumeConfig', label, 'x'.repeat(253)));
  t.like(plain.all('ExistingVolumeConfig')[0]?.mount, { readOnly: false, secure: true });
});

function at(fields: string): string[] {
  return problemsOf(foreign('ExistingVolumeConfig', fields)).map(
    ({ code, path, line, column }) => `${code} ${path} ${line}:${column}`,
  );
}

test('a selector that is missing or does not compile is shown where it should be or where it breaks', (t) => {
  t.deepEqual(at(''), ['volume_selector.required  1:1']);
  t.deepEqual(at('discovery: {}'), ['volume_selector.required discovery 4:12']);
  t.deepEqual(at('discovery: {volumeSelector: {}}'), [
    'volume_selector.required discovery.volumeSelector 4:29',
  ]);
  t.deepEqual(at(`discovery: {volumeSelector: {match: 'volume.size > 1 && volume.colour == "red"'}}`), [
    'volume_selector.invalid discovery.volumeSelector.match 4:64',
  ]);
  t.deepEqual(at('encryption: {}\n' + label), ['unknown_field encryption 4:1']);
});

test('an external volume is a share of the host, named by its tag', (t) => {
  using configuration = parse(foreign('ExternalVolumeConfig', share));
  t.like(configuration.all('ExternalVolumeConfig')[0], {
    kind: 'external',
    id: 'x-data',
    tag: 'shared',
    mount: { readOnly: false, secure: true },
  });
  const refused = [
    ['', ['required', 'virtiofs.tag_required']],
    ['filesystemType: virtiofs', ['virtiofs.tag_required']],
    ['filesystemType: virtiofs\nmount: {virtiofs: {tag: ""}}', ['virtiofs.tag_required']],
    [`filesystemType: virtiofs\nmount: {virtiofs: {tag: ${'t'.repeat(37)}}}`, ['virtiofs.tag_length']],
    ['filesystemType: nfs\nmount: {virtiofs: {tag: x}}', ['invalid_value']],
  ] as const;
  for (const [fields, codes] of refused)
    t.deepEqual(codesOf(foreign('ExternalVolumeConfig', fields)), [...codes], fields);
  using trimmed = parse(foreign('ExternalVolumeConfig', `${share}\ntrim: {enabled: true, interval: 168h}`));
  t.deepEqual(
    trimmed.warnings.map(({ code }) => code),
    ['trim.external'],
  );
});
