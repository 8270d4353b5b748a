import { readFileSync } from 'node:fs';

import test from 'ava';

import { readConfiguration } from '../src/configuration.ts';
import { defaultAuthentication } from '../src/index.ts';
import { refusedKeys } from '../src/refused-keys.ts';

const read = (text: string, environment: Record<string, string> = {}): ReturnType<typeof readConfiguration> =>
  readConfiguration([{ name: 'factory.yaml', text }], environment);

test('authentication is off unless it is turned on', (t) => {
  for (const text of ['', '{}', 'authentication: {enabled: false, tokens: {maxPerOrg: 3}}'])
    t.deepEqual(read(text), {}, text);
  t.deepEqual(read('authentication: {enabled: true}'), { authentication: defaultAuthentication });
});

test('keys are read without regard to case, later files before earlier ones, and the environment before all', (t) => {
  const earlier =
    'Authentication:\n  ENABLED: true\n  tokens:\n    keypaths: [a]\n    ttl: {stored: {max: 720h, default: 24h}}\n';
  const later = 'authentication: {tokens: {maxPerOrg: 3}, publicSchematics: true}';
  const files = [
    { name: 'earlier', text: earlier },
    { name: 'later', text: later },
  ];
  const environment = { IF_AUTHENTICATION_TOKENS_KEYPATHS: 'b,c', IF_OTHER: 'x', HOME: '/' };
  t.deepEqual(readConfiguration(files, environment).authentication, {
    keyPaths: ['b', 'c'],
    maxPerSubject: 3,
    lifetimes: {
      ...defaultAuthentication.lifetimes,
      stored: { min: 3_600, default: 86_400, max: 2_592_000 },
    },
    hasPublicSchematics: true,
  });
});

test('callers are those of an issuer when it is the provider', (t) => {
  const text = `authentication:
  enabled: true
  provider: oidc
  oidc:
    issuer: https://login.example.com/realms/ours
    rolesClaim: groups
    roles: ["cn=ops,dc=example=admin", machines=node]
    clientId: factory
    clientScopes: [groups, openid]`;
  const environment = { IF_AUTHENTICATION_OIDC_CLIENTSECRETPATH: '/run/secret' };
  t.deepEqual(read(text, environment).authentication?.oidc, {
    issuer: 'https://login.example.com/realms/ours',
    audiences: ['factory'],
    subjectClaim: 'sub',
    roles: {
      claim: 'groups',
      profiles: new Map([
        ['cn=ops,dc=example', 'admin'],
        ['machines', 'node'],
      ]),
    },
    client: { id: 'factory', secretPath: '/run/secret', scopes: ['openid', 'groups'] },
  });
  const bearers =
    'authentication: {enabled: true, provider: oidc, oidc: {issuer: "http://127.0.0.1:8", audiences: [a]}}';
  t.deepEqual(read(bearers).authentication?.oidc, {
    issuer: 'http://127.0.0.1:8',
    audiences: ['a'],
    subjectClaim: 'sub',
  });
});

test('requests are recorded in a file, and metrics answered, when that is asked for', (t) => {
  for (const text of ['audit: {mode: none}', 'audit: {file: {path: /var/log/factory/audit.log}}'])
    t.deepEqual(read(text), {}, text);
  const path = '/var/log/factory/audit.log';
  t.deepEqual(read(`audit: {mode: file, file: {path: ${path}}}`).audit, {
    path,
    maxSizeBytes: 256 * 2 ** 20,
    maxBackups: 16,
    maxAgeDays: 30,
  });
  const environment = { IF_AUDIT_MODE: 'file', IF_AUDIT_FILE_PATH: path, IF_AUDIT_FILE_MAXBACKUPS: '0' };
  t.deepEqual(read('audit: {file: {maxSizeMB: 1, maxAge: 0}}', environment).audit, {
    path,
    maxSizeBytes: 2 ** 20,
    maxBackups: 0,
    maxAgeDays: 0,
  });
  const shared = 'storage: {postgres: {url: "postgresql://factory@db.example/factory"}}';
  t.deepEqual(read(`audit: {mode: postgres}\n${shared}`).audit, { maxAgeDays: 30 });
  t.deepEqual(read(shared, { IF_AUDIT_MODE: 'postgres', IF_AUDIT_POSTGRES_MAXAGE: '0' }).audit, {
    maxAgeDays: 0,
  });
  t.deepEqual(read('metrics: {addr: "127.0.0.1:2122"}').metrics, { host: '127.0.0.1', port: 2122 });
  t.deepEqual(read('', { IF_METRICS_ADDR: ':2122' }).metrics, { host: '::', port: 2122 });
});

test('records are in a database that factories share, when that is said', (t) => {
  t.is(read('').postgres, undefined);
  const url = 'postgresql://factory@db.example/factory';
  t.deepEqual(read(`storage: {postgres: {url: "${url}", passwordPath: /p, caPath: /ca.pem}}`).postgres, {
    url,
    passwordPath: '/p',
    caPath: '/ca.pem',
  });
  t.deepEqual(read('', { IF_STORAGE_POSTGRES_URL: url }).postgres, { url });
});

test('objects are in a bucket that factories share, when that is said', (t) => {
  const given = 'bucket: images, credentialsPath: /c';
  t.is(read(`cache: {s3: {${given}}}`).bucket, undefined);
  t.deepEqual(read(`cache: {s3: {enabled: true, ${given}}}`).bucket, {
    bucket: 'images',
    endpoint: 's3.us-east-1.amazonaws.com',
    region: 'us-east-1',
    credentialsPath: '/c',
    isInsecure: false,
  });
  const environment = {
    IF_CACHE_S3_ENABLED: 'true',
    IF_CACHE_S3_INSECURE: 'true',
    IF_CACHE_S3_ENDPOINT: '[::1]:9000',
  };
  t.like(read(`cache: {s3: {${given}}}`, environment).bucket, { endpoint: '[::1]:9000', isInsecure: true });

  const enabled = 'cache: {s3: {enabled: true, bucket: images}}';
  t.false('credentialsPath' in (read(enabled).bucket ?? {}));
  const regions = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' };
  t.like(read(enabled, regions).bucket, { region: 'eu-west-1', endpoint: 's3.eu-west-1.amazonaws.com' });
  t.is(read(enabled, { ...regions, AWS_REGION: '' }).bucket?.region, 'eu-west-2');
  t.is(read(enabled, { ...regions, IF_CACHE_S3_REGION: 'eu-1' }).bucket?.region, 'eu-1');
  t.throws(() => read(enabled, { AWS_REGION: 'a b' }), { message: /^AWS_REGION: must be a region/ });
  t.is(read('', { AWS_REGION: 'a b' }).bucket, undefined);
});

test('schematics are in a registry that factories share, when that is said', (t) => {
  t.is(read('').schematicRegistry, undefined);
  t.deepEqual(read('artifacts: {schematic: {registry: "registry.example:5000"}}').schematicRegistry, {
    registry: 'registry.example:5000',
    repository: 'schematics',
    isInsecure: false,
  });
  const text =
    'artifacts: {schematic: {registry: r, namespace: a/b, repository: c, insecure: true, credentialsPath: /c}}';
  const secure =
    'artifacts: {schematic: {registry: r, caPath: /ca}, core: {registry: s.example, caPath: /other}}';
  t.is(read(secure).schematicRegistry?.caPath, '/ca');
  t.is(read(secure).sources?.caPath, '/other');
  t.deepEqual(read(text).schematicRegistry, {
    registry: 'r',
    repository: 'a/b/c',
    isInsecure: true,
    credentialsPath: '/c',
  });
});

test('vulnerabilities are read from lists, at a time of day, when that is said', (t) => {
  t.is(read('').scanner, undefined);
  const text = 'enterprise: {scanner: {databaseURL: ["https://lists.example/a", "file:///b"]}}';
  const urls = ['https://lists.example/a', 'file:///b'];
  t.deepEqual(read(text).scanner, { urls, updateAtMs: 7 * 3_600_000 });
  const environment = {
    IF_ENTERPRISE_SCANNER_DATABASEURL: urls.join(','),
    IF_ENTERPRISE_SCANNER_DATABASEUPDATEAT: '00:30',
  };
  t.deepEqual(read('', environment).scanner, { urls, updateAtMs: 1_800_000 });
});

test('versions are broken, and images come from a registry, when that is said', (t) => {
  t.deepEqual(read('build: {brokenOSVersions: [v1.14.0, v1.15.0-beta.1]}').brokenVersions, [
    'v1.14.0',
    'v1.15.0-beta.1',
  ]);
  t.deepEqual(read('', { IF_BUILD_BROKENOSVERSIONS: 'v1.14.0' }).brokenVersions, ['v1.14.0']);
  const text = 'artifacts: {core: {registry: "registry.example:5000", namespace: a/os}}';
  t.deepEqual(read(text).sources, { registry: 'registry.example:5000', namespace: 'a/os' });
  t.deepEqual(read('artifacts: {core: {registry: "[::1]:5000"}}').sources, {
    registry: '[::1]:5000',
    namespace: '',
  });
});

test('where a factory reads, writes and answers is said by files and the environment', (t) => {
  const text = [
    'http: {httpListenAddr: ":8080", externalURL: "https://factory.example.com/"}',
    'artifacts: {directory: /srv/releases}',
    'containerSignature: {publicKeyFile: [old.pub, new.pub]}',
    'storage: {directory: /srv/factory}',
    'secureBoot: {directory: /srv/keys}',
    'installer: {signingKeyPath: /srv/installer.key}',
  ].join('\n');
  const all = {
    listen: { host: '::', port: 8080 },
    externalUrl: 'https://factory.example.com/',
    releases: '/srv/releases',
    releaseKeys: ['old.pub', 'new.pub'],
    storage: '/srv/factory',
    secureBootKeys: '/srv/keys',
    installerSigningKey: '/srv/installer.key',
  };
  t.deepEqual(read(text), all);
  const environment = { IF_STORAGE_DIRECTORY: '/other', IF_HTTP_HTTPLISTENADDR: '127.0.0.1:1' };
  t.deepEqual(read(text, environment), {
    ...all,
    storage: '/other',
    listen: { host: '127.0.0.1', port: 1 },
  });
});

test('every key of other factories is in the page that says what is in its place', (t) => {
  const page = readFileSync(
    new URL('../../../../docs/decisions/factory-configuration.md', import.meta.url),
    'utf8',
  );
  const rows = Array.from(page.matchAll(/^\| `(?<key>\S+)` +\| (?<why>.*?) +\|$/gmu), ({ groups }) => [
    groups?.['key'],
    groups?.['why'],
  ]);
  t.deepEqual(
    rows,
    refusedKeys.map((row) => [...row]),
  );
});

const refused: readonly (readonly [text: string, message: RegExp])[] = [
  ['http: {httpListenAddr: localhost}', /httpListenAddr: must be an address and a port/],
  ['http: {externalURL: "https://me:secret@factory.example.com"}', /externalURL: must be a URL as/],
  ['http: {externalURL: "ftp://factory.example.com"}', /externalURL: must be a URL as/],
  ['http: {trustedProxies: [10.0.0.0/33]}', /trustedProxies: 10\.0\.0\.0\/33 is no address, and no network/],
  ['http: {certFile: a}', /^http\.keyFile: http\.certFile needs it$/],
  ['http: {keyFile: a}', /^http\.certFile: http\.keyFile needs it$/],
  ['http: {externalPXEURL: pxe}', /externalPXEURL: must be a URL as/],
  ['http: {allowedOrigins: ["https://a/b"]}', /allowedOrigins: https:\/\/a\/b is no origin as/],
  ['build: {maxConcurrency: 6}', /build\.maxConcurrency: is not taken: .* queues of a fixed length$/],
  ['secureBoot: {enabled: false}', /secureBoot\.enabled: is not taken: secureBoot\.directory has all keys/],
  ['cache: {oci: {registry: a}}', /cache\.oci\.registry: is not taken: images are views/],
  ['artifacts: {refreshInterval: 5}', /refreshInterval: must be a duration as 5m/],
  ['artifacts: {refreshInterval: 1000h}', /refreshInterval: must be a duration as 5m/],
  ['http: {trustedProxies: [proxy]}', /trustedProxies: proxy is no address, and no network/],
  ['http: {externalUrl: 5}', /externalUrl: must be a URL as/],
  ['http: {listenAddr: ":8080"}', /http\.listenAddr: no such key; nearest: http\.httpListenAddr$/],
  ['storage: {dir: x}', /storage\.dir: no such key; nearest: storage\.directory$/],
  ['storage: /srv', /storage: no such key/],
  ['storage: {directory: [x]}', /storage\.directory: must be a directory$/],
  [
    'containerSignature: {disabled: true}',
    /containerSignature\.disabled: is not taken: a release that nobody has signed/,
  ],
  [
    'authentication: {downloadTokenKeyPath: x}',
    /downloadTokenKeyPath: is no more: authentication\.tokens\.keyPaths is/,
  ],
  [
    'AUTHENTICATION: {DOWNLOADTOKENTTL: 1h}',
    /DOWNLOADTOKENTTL: is no more: authentication\.tokens\.ttl\.ephemeral is/,
  ],
  [
    'authentication: {downloadTokenTTL: {max: 1h}}',
    /TTL\.max: is no more: authentication\.tokens\.ttl\.ephemeral is/,
  ],
  ['authentication: {tokens: {keyPath: x}}', /keyPath: is no more: authentication\.tokens\.keyPaths is/],
  [
    'enterprise: {nodeTokens: {ttl: {max: 1h}}}',
    /nodeTokens\.ttl\.max: is no more: authentication\.tokens is/,
  ],
  [
    'authentication: {enable: true}',
    /authentication\.enable: no such key; nearest: authentication\.enabled$/,
  ],
  ['authentication: true', /authentication: no such key/],
  ['authentication: {enabled: yes please}', /authentication\.enabled: must be true or false/],
  ['authentication: {enabled: true, Enabled: false}', /Enabled: is there twice/],
  ['authentication: {enabled: true, enabled: false}', /factory\.yaml: Map keys must be unique/],
  ['authentication: {tokens: {keyPaths: [1]}}', /keyPaths: must be a list of files/],
  ['authentication: {htpasswdPath: [a]}', /htpasswdPath: must be a file/],
  ['authentication: {provider: ldap}', /provider: must be htpasswd or oidc/],
  ['authentication: {provider: oidc}', /authentication\.oidc\.issuer: must be the URL of an issuer/],
  [
    'authentication: {oidc: {issuer: "https://a.example"}}',
    /oidc\.issuer: authentication\.provider must be oidc/,
  ],
  ...['http://a.example', 'https://u:p@a.example', 'https://a.example/?x', 'file:///a', 'a.example', '7'].map(
    (issuer) =>
      [
        `authentication: {provider: oidc, oidc: {issuer: "${issuer}", audiences: [a]}}`,
        /^factory\.yaml: authentication\.oidc\.issuer: must be the URL of an issuer as https:\/\/login\.example\.com$/,
      ] as const,
  ),
  [
    'authentication: {provider: oidc, oidc: {issuer: "https://a.example"}}',
    /audiences: must name for whom tokens are, or/,
  ],
  [
    'authentication: {provider: oidc, htpasswdPath: a, oidc: {issuer: "https://a.example", audiences: [a]}}',
    /provider oidc has no passwords/,
  ],
  ...[
    ['clientSecretPath: a', /clientId: authentication\.oidc\.clientSecretPath needs it/],
    ['rolesClaim: groups', /roles: authentication\.oidc\.rolesClaim needs it/],
    ['roles: [a=admin]', /rolesClaim: authentication\.oidc\.roles needs it/],
    ['rolesClaim: groups, roles: [admin]', /roles: admin: must be a role and one of node/],
    ['rolesClaim: groups, roles: [a=root]', /roles: a=root: must be a role/],
    ['rolesClaim: groups, roles: [a=node, a=admin]', /roles: a: is there twice/],
  ].map(
    ([text, message]) =>
      [
        `authentication: {provider: oidc, oidc: {issuer: "https://a.example", audiences: [a], ${String(text)}}}`,
        message as RegExp,
      ] as const,
  ),
  ['authentication: {tokens: {maxPerOrg: 0}}', /maxPerOrg: must be a number/],
  ['authentication: {tokens: {ttl: {stored: {min: 60}}}}', /stored\.min: must be a duration/],
  [
    'authentication: {tokens: {ttl: {ephemeral: {max: 1m}}}}',
    /ttl\.ephemeral: min 30s, default 5m, max 1m: must be/,
  ],
  ['audit: {mode: file}', /audit\.file\.path: audit\.mode file needs it/],
  ['audit: {mode: syslog}', /audit\.mode: must be none or file or postgres/],
  ['audit: {mode: postgres}', /storage\.postgres\.url: audit\.mode postgres needs it/],
  ['audit: {postgres: {maxAge: 30d}}', /audit\.postgres\.maxAge: must be a number from 0/],
  ['audit: {file: {maxSizeMB: 0}}', /maxSizeMB: must be a number from 1/],
  ['audit: {file: {maxAge: 30d}}', /maxAge: must be a number from 0/],
  ['audit: {file: {size: 1}}', /audit\.file\.size: no such key; nearest: audit\.file\./],
  ['metrics: {addr: "2122"}', /metrics\.addr: must be an address and a port/],
  ['metrics: {addr: "localhost:2122"}', /metrics\.addr: must be an address and a port/],
  ['build: {brokenOSVersions: v1.14}', /brokenOSVersions: v1\.14 is no version as v1\.14\.0/],
  ['build: {brokenOSVersions: {v1.14.0: true}}', /build\.brokenOSVersions\.v1\.14\.0: no such key/],
  ['build: {brokenOSVersions: [1]}', /brokenOSVersions: must be a list of versions/],
  ['artifacts: {core: {registry: "https://registry.example"}}', /core\.registry: must be a host as/],
  ['artifacts: {core: {registry: "registry.example/os"}}', /core\.registry: must be a host as/],
  ['artifacts: {core: {registry: "me:secret@registry.example"}}', /core\.registry: must be a host as/],
  ['artifacts: {core: {registry: 5}}', /core\.registry: must be a host$/],
  ['artifacts: {core: {namespace: os}}', /core\.registry: artifacts\.core\.namespace needs it/],
  [
    'artifacts: {core: {registry: registry.example, namespace: ../os}}',
    /core\.namespace: must be the beginning of a repository's name/,
  ],
  [
    'storage: {postgres: {url: "mysql://u:secret@h/d"}}',
    /^factory\.yaml: storage\.postgres\.url: must be as postgresql:\/\/user@host\/database$/,
  ],
  ['storage: {postgres: {url: "postgresql://h/d"}}', /url: must be as postgresql:/],
  ['storage: {postgres: {url: "postgresql://u@h"}}', /url: must be as postgresql:/],
  ['storage: {postgres: {url: "postgresql://u:%zz@h/d"}}', /url: must be as postgresql:/],
  ['storage: {postgres: {url: "postgresql://u@h/d?ssl=1"}}', /url: must be as postgresql:/],
  [
    'storage: {postgres: {url: "postgresql://u@h/d?sslmode=require"}}',
    /url: sslmode is verify-full, or disable/,
  ],
  [
    'storage: {postgres: {url: "postgresql://u:secret@h/d", passwordPath: /p}}',
    /url: has a password, and storage/,
  ],
  ['cache: {s3: {enabled: true, credentialsPath: /c}}', /^cache\.s3\.bucket: cache\.s3\.enabled needs it$/],
  [
    'cache: {s3: {enabled: true, bucket: ../x, credentialsPath: /c}}',
    /cache\.s3\.bucket: must be a bucket's name/,
  ],
  [
    'cache: {s3: {endpoint: "https://s3.example"}}',
    /cache\.s3\.endpoint: must be a host as s3\.example\.com/,
  ],
  ['cache: {s3: {endpoint: "me:secret@s3.example"}}', /cache\.s3\.endpoint: must be a host/],
  ['cache: {s3: {region: "a b"}}', /cache\.s3\.region: must be a region/],
  ['cache: {s3: {insecure: true, caPath: /ca}}', /cache\.s3\.caPath: cache\.s3\.insecure is without TLS/],
  ['cache: {s3: {secretKey: x}}', /cache\.s3\.secretKey: no such key/],
  [
    'artifacts: {schematic: {insecure: true}}',
    /^artifacts\.schematic\.registry: artifacts\.schematic\.insecure needs it$/,
  ],
  ['artifacts: {core: {caPath: /ca}}', /^artifacts\.core\.registry: artifacts\.core\.caPath needs it$/],
  ['artifacts: {schematic: {caPath: /ca}}', /schematic\.registry: artifacts\.schematic\.caPath needs it$/],
  [
    'artifacts: {schematic: {registry: r, insecure: true, caPath: /ca}}',
    /schematic\.caPath: artifacts\.schematic\.insecure is without TLS/,
  ],
  [
    'artifacts: {schematic: {registry: "me:secret@r"}}',
    /schematic\.registry: must be a host as registry\.example\.com/,
  ],
  ['artifacts: {schematic: {registry: r, repository: ../x}}', /schematic\.repository: \.\.\/x is no name/],
  ['storage: {postgres: {caPath: /ca.pem}}', /^storage\.postgres\.url: storage\.postgres\.caPath needs it$/],
  [
    'enterprise: {scanner: {databaseURL: "https://me:secret@lists.example/a, ftp://x"}}',
    /scanner\.databaseURL: must be https: or file: URLs$/,
  ],
  ['enterprise: {scanner: {databaseURL: "http://lists.example/a"}}', /must be https: or file: URLs$/],
  ['enterprise: {scanner: {databaseURL: {a: b}}}', /scanner\.databaseURL\.a: no such key/],
  [
    'enterprise: {scanner: {databaseURL: "file:/lists", databaseUpdateAt: 7am}}',
    /databaseUpdateAt: must be a time of day as 07:00, in UTC/,
  ],
  [
    'enterprise: {scanner: {databaseUpdateAt: "07:00"}}',
    /^enterprise\.scanner\.databaseURL: enterprise\.scanner\.databaseUpdateAt needs it/,
  ],
  ['- authentication', /factory\.yaml: must be a map/],
  ['a: &a [1]\nb: *a', /factory\.yaml: has aliases/],
  ['a: [', /^factory\.yaml: /],
];

for (const [text, message] of refused)
  test(`refused: ${text.replaceAll('\n', ' ')}`, (t) => {
    t.throws(() => read(text), { code: 'ERR_FACTORY_SETUP', message });
  });

test('keys of earlier versions are refused from the environment, too, also while authentication is off', (t) => {
  for (const [name, message] of [
    ['IF_AUTHENTICATION_DOWNLOADTOKENKEYPATH', /tokens\.keyPaths is in its place/],
    ['IF_AUTHENTICATION_DOWNLOADTOKENTTL_MAX', /tokens\.ttl\.ephemeral is in its place/],
    ['if_authentication_tokens_keypath', /tokens\.keyPaths is in its place/],
    ['IF_ENTERPRISE_NODETOKENS_TTL', /authentication\.tokens is in its place/],
  ] as const)
    t.throws(() => read('', { [name]: 'x' }), { code: 'ERR_FACTORY_SETUP', message });
});
