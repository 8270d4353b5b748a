import { tableOf } from '../table.ts';
import { caCertificate, caKey, otherKey } from '../../fixtures/authority.ts';

tableOf('RegistryMirrorConfig', {
  reads: [['name: docker.io\nendpoints: [{url: "https://a"}]\n', { name: 'docker.io', skipFallback: false }]],
  accepts: [
    'name: "*"\n',
    'name: registry.example:5000\nendpoints: [{url: "http://10.0.0.1:5000/v2/x", overridePath: true}]\nskipFallback: true\n',
    'name: "[fd00::1]:5000"\n',
  ],
  refuses: [
    ['name: §https://a\n', 'registry.host', 'name'],
    ['name: a\nendpoints: [{url: §ftp://a}]\n', 'url.invalid', 'endpoints[0].url'],
    ['name: a\nendpoints: [§{}]\n', 'required', 'endpoints[0].url'],
    ['name: a\nendpoints: [{url: "https://a"}, {url: §"https://a"}]\n', 'list.duplicate', 'endpoints[1].url'],
  ],
});

const base64 = Buffer.from('name:password').toString('base64');

tableOf('RegistryAuthConfig', {
  accepts: [
    'name: a\nusername: u\npassword: p\n',
    `name: a\nauth: ${base64}\n`,
    'name: a\nidentityToken: t\n',
  ],
  refuses: [
    ['name: a\n', 'fields.at_least_one', ''],
    ['name: a\nusername: §u\n', 'fields.needs', 'username'],
    [`name: a\npassword: §p\nauth: ${base64}\n`, 'fields.needs', 'password'],
    [`name: a\nidentityToken: §t\nauth: ${base64}\n`, 'registry_auth.one', 'identityToken'],
    [`name: a\nusername: u\npassword: p\nauth: §${base64}\n`, 'registry_auth.one', 'auth'],
    ['name: a\nauth: §bm9jb2xvbg==\n', 'registry_auth.form', 'auth'],
    ['name: §"*"\nidentityToken: t\n', 'registry.host', 'name'],
  ],
});

const text = (pem: string): string => JSON.stringify(pem);

tableOf('RegistryTLSConfig', {
  accepts: [
    'name: a\n',
    `name: a\nca: ${text(caCertificate)}\n`,
    `name: a\nclientIdentity: {cert: ${text(caCertificate)}, key: ${text(caKey)}}\n`,
  ],
  refuses: [
    ['name: a\nca: §text\n', 'certificate.invalid', 'ca'],
    ['name: a\nca: §""\n', 'certificate.invalid', 'ca'],
    [`name: a\nca: "§${text(caKey).slice(1)}\n`, 'certificate.invalid', 'ca'],
    [`name: a\nclientIdentity: §{cert: ${text(caCertificate)}}\n`, 'required', 'clientIdentity.key'],
    [
      `name: a\nclientIdentity: {cert: ${text(caCertificate)}, key: "§${text(caCertificate).slice(1)}}\n`,
      'private_key.invalid',
      'clientIdentity.key',
    ],
    [
      `name: a\nclientIdentity: {cert: ${text(caCertificate)}, key: §${text(otherKey)}}\n`,
      'private_key.mismatch',
      'clientIdentity.key',
    ],
  ],
  warns: [['name: a\ninsecureSkipVerify: §true\n', 'registry_tls.unverified', 'insecureSkipVerify']],
});
