import { caCertificate, caKey } from '../../fixtures/authority.ts';
import { tableOf } from '../table.ts';

tableOf('ImageCacheConfig', {
  reads: [['local: {enabled: true}\n', { local: { enabled: true } }]],
  refuses: [['local: §{}\n', 'required', 'local.enabled']],
});

const rules = (...all: readonly string[]): string => `rules:\n${all.map((one) => `  - {${one}}\n`).join('')}`;
const pem = JSON.stringify(caCertificate);

tableOf('ImageVerificationConfig', {
  reads: [
    [
      rules('image: registry.example/*, skip: true'),
      { rules: [{ image: 'registry.example/*', skip: true, deny: false }] },
    ],
  ],
  accepts: [
    rules(
      'image: a/b, keyless: {issuer: i, subject: s}',
      'image: a/c, keyless: {issuer: i, subjectRegex: "^release-.*$"}',
      `image: a/d, publicKey: {certificate: ${pem}}`,
      'image: a/*, deny: true',
    ),
  ],
  refuses: [
    ['rules:\n  - §{skip: true}\n', 'required', 'rules[0].image'],
    ['rules:\n  - §{image: a/b}\n', 'image_rule.one', 'rules[0]'],
    ['rules:\n  - §{image: a/b, skip: true, deny: true}\n', 'image_rule.one', 'rules[0]'],
    [
      'rules:\n  - §{image: a/b, skip: true, keyless: {issuer: i, subject: s}}\n',
      'image_rule.one',
      'rules[0]',
    ],
    [
      `rules:\n  - §{image: a/b, keyless: {issuer: i, subject: s}, publicKey: {certificate: ${pem}}}\n`,
      'image_rule.one',
      'rules[0]',
    ],
    ['rules:\n  - {image: a/b, keyless: §{subject: s}}\n', 'required', 'rules[0].keyless.issuer'],
    ['rules:\n  - {image: a/b, keyless: §{issuer: i}}\n', 'fields.at_least_one', 'rules[0].keyless'],
    [
      'rules:\n  - {image: a/b, keyless: {issuer: i, subjectRegex: §"("}}\n',
      'regex.invalid',
      'rules[0].keyless.subjectRegex',
    ],
    ['rules:\n  - {image: a/b, publicKey: §{}}\n', 'required', 'rules[0].publicKey.certificate'],
    [
      `rules:\n  - {image: a/b, publicKey: {certificate: §${JSON.stringify(caKey)}}}\n`,
      'certificate.invalid',
      'rules[0].publicKey.certificate',
    ],
    [
      'rules:\n  - {image: a/b, skip: true}\n  - {image: §a/b, deny: true}\n',
      'list.duplicate',
      'rules[1].image',
    ],
  ],
  warns: [
    ['rules:\n  - {image: §"a/b:1", skip: true}\n', 'image_rule.tag', 'rules[0].image'],
    ['rules:\n  - {image: §"a/b@sha256:0", skip: true}\n', 'image_rule.tag', 'rules[0].image'],
    ['rules:\n  - {image: §b, skip: true}\n', 'image_rule.registry', 'rules[0].image'],
    [
      'rules:\n  - {image: a/*, skip: true}\n  - {image: §a/b, deny: true}\n',
      'image_rule.never',
      'rules[1].image',
    ],
  ],
});

const limits = (text: string): string => `overrides: {process: {rlimits: ${text}}}\n`;

tableOf('CRIBaseRuntimeSpecConfig', {
  reads: [
    [
      limits('[{type: RLIMIT_NOFILE, soft: 1, hard: 2}]'),
      { overrides: { process: { rlimits: [{ type: 'RLIMIT_NOFILE', soft: 1, hard: 2 }] } } },
    ],
  ],
  accepts: ['overrides: {linux: {sysctl: {a: b}}}\n'],
  refuses: [
    ['overrides: {processes: §{}}\n', 'cri_spec.part', 'overrides.processes'],
    [limits('§{}'), 'cri_spec.rlimits', 'overrides.process.rlimits'],
    [limits('[§{type: NOFILE, soft: 1, hard: 2}]'), 'cri_spec.rlimits', 'overrides.process.rlimits[0]'],
    [
      limits('[§{type: RLIMIT_NOFILE, soft: 3, hard: 2}]'),
      'cri_spec.rlimits',
      'overrides.process.rlimits[0]',
    ],
  ],
});

tableOf('CRICustomizationConfig', {
  reads: [
    [
      'name: a.b\ncontent: |\n  [metrics]\n  address = "x"\n',
      { name: 'a.b', content: '[metrics]\naddress = "x"\n' },
    ],
  ],
  refuses: [
    ['name: §customization\ncontent: a=1\n', 'cri.reserved', 'name'],
    ['name: §a/b\ncontent: a=1\n', 'cri.name', 'name'],
    ['name: a\ncontent: |\n  a = 1\n  b = §= 2\n', 'cri.toml', 'content'],
    ['name: a\ncontent: §root = "/x"\n', 'cri.owned', 'content'],
    ['name: a\ncontent: §grpc.address = "/x"\n', 'cri.owned', 'content'],
    ['name: a\ncontent: §version = 3\n', 'cri.owned', 'content'],
  ],
});
