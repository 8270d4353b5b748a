import test from 'ava';

import { checkMode, diff, jsonSchema, parse, redact } from '@nodecore/config';
import { caCertificate, caKey, leafCertificate } from './fixtures/authority.ts';
import { places, refused, unmark, warningsOf } from './fixtures/marked.ts';
import { codesOf, problemsOf } from './fixtures/problems.ts';

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
const roots = (certificates: string, name = 'company'): string =>
  `apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: ${name}\ncertificates: |\n${indented(certificates)}\n`;

test('each certificate of a bundle comes by itself, without what stands around it', (t) => {
  using configuration = parse(
    roots(`# Company Root\n${caCertificate}\n\n# the same\n${caCertificate.replaceAll('\n', '  \n')}`),
  );
  t.deepEqual(configuration.all('TrustedRootsConfig'), [
    { name: 'company', certificates: [caCertificate, caCertificate] },
  ]);
  t.deepEqual(configuration.warnings, []);
  t.is(configuration.documents[0]?.identity, 'TrustedRootsConfig/company');
});

test('several documents add up, the same one twice does not', (t) => {
  using configuration = parse(`${roots(caCertificate)}---\n${roots(caCertificate, 'partner')}`);
  t.deepEqual(
    configuration.all('TrustedRootsConfig').map(({ name }) => name),
    ['company', 'partner'],
  );
  t.deepEqual(codesOf(`${roots(caCertificate)}---\n${roots(leafCertificate)}`), ['document.duplicate']);
});

const broken = caCertificate.replace('MIIB', 'MIIC');
const wrong: Record<string, readonly [message: RegExp, marked: string]> = {
  'a certificate that can not be read': [/^certificate 2 can not be read/u, `${caCertificate}§${broken}`],
  'a private key': [/^certificate 2 is a private key/u, `${caCertificate}§${caKey}`],
  'a block of another kind': [
    /^certificate 1 is not a CERTIFICATE/u,
    `§${caCertificate.replaceAll('CERTIFICATE', 'GEHEIM')}`,
  ],
  'a block that does not end': [/does not end/u, `${caCertificate}§-----BEGIN CERTIFICATE-----\nAAAA\n`],
  'a block inside a block': [/does not end/u, `§-----BEGIN CERTIFICATE-----\nAAAA\n${caCertificate}`],
  'text around blocks': [/in no PEM block/u, `${caCertificate}§geheim\n${caCertificate}`],
  'text inside a block': [
    /not base64/u,
    `§${caCertificate.replace('\nMIIB', '\nProc-Type: geheim\n\nMIIB')}`,
  ],
  'a comment and nothing else': [/one or more certificates/u, '# GEHEIM\n'],
};

for (const [what, [message, certificates]] of Object.entries(wrong)) {
  test(`refused with the certificate that is bad: ${what}`, (t) => {
    // Without a mark the place is the value itself.
    const marked = certificates.includes('§')
      ? roots(certificates)
      : roots(certificates).replace('certificates: |', 'certificates: §|');
    const { text, line, column } = unmark(marked);
    t.deepEqual(refused(text), [{ code: 'certificate.invalid', line, column }]);
    const problems = problemsOf(text);
    t.regex(problems[0]?.message ?? '', message);
    t.false(JSON.stringify(problems).toLowerCase().includes('geheim'));
  });
}

test('every bad certificate of a bundle is named', (t) => {
  t.deepEqual(codesOf(roots(`${broken}${caCertificate}${broken}`)), [
    'certificate.invalid',
    'certificate.invalid',
  ]);
});

test('an expired certificate is a warning where it begins, and so is one that vouches for nobody', (t) => {
  const late = unmark(roots(`${caCertificate}§${leafCertificate}`));
  const { text, line, column } = late;
  t.deepEqual(places(warningsOf(text)), [{ code: 'certificate.not_ca', line, column }]);
  // The leaf ends in 2115, the authority in 2125.
  t.deepEqual(places(warningsOf(text, Date.parse('2120-01-01'))), [
    { code: 'certificate.not_ca', line, column },
    { code: 'certificate.expired', line, column },
  ]);
});

test('a document needs a name, a text, and nothing else', (t) => {
  const text = roots(caCertificate);
  t.deepEqual(codesOf(text.replace('name: company\n', '')), ['required']);
  t.deepEqual(codesOf(text.replace('name: company', 'name: "a b"')), ['name.characters']);
  t.deepEqual(codesOf(text.replace('name: company', `name: ${'a'.repeat(35)}`)), ['name.length']);
  t.deepEqual(codesOf(`${text}extra: 1\n`), ['unknown_field']);
  t.deepEqual(codesOf('apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: a\n'), ['required']);
  t.deepEqual(codesOf('apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: a\ncertificates: []\n'), [
    'wrong_type',
  ]);
});

test('certificates are public: shown, and compared line by line', (t) => {
  const [before, after] = [roots(caCertificate), roots(`${caCertificate}${leafCertificate}`)];
  t.is(redact(before), before);
  const patch = diff(before, after);
  t.true(patch.includes('+  -----BEGIN CERTIFICATE-----'));
  t.false(/^-  /mu.test(patch));
});

test('a container trusts authorities like any machine', (t) => {
  using configuration = parse(roots(caCertificate));
  t.deepEqual(checkMode(configuration, 'container').problems, []);
});

test('the schema wants name and certificates', (t) => {
  t.deepEqual((jsonSchema('TrustedRootsConfig') as any).required, [
    'apiVersion',
    'kind',
    'name',
    'certificates',
  ]);
});
