import test from 'ava';

import { formatEndpoint, parseEndpoint, KmsEndpointError } from '../src/index.ts';

const read = test.macro((t, text: string, scheme: string, host: string, port: number, formatted: string) => {
  const endpoint = parseEndpoint(text);
  t.deepEqual({ ...endpoint }, { scheme, host, port, tls: scheme !== 'grpc', text } as typeof endpoint);
  t.is(formatEndpoint(endpoint), formatted);
  t.like(parseEndpoint(formatted), { scheme, host, port } as typeof endpoint);
});

test('a host alone is plaintext on 443', read, 'kms', 'grpc', 'kms', 443, 'grpc://kms:443');
test('a host with a port is plaintext', read, 'kms:4050', 'grpc', 'kms', 4050, 'grpc://kms:4050');
test('grpc is plaintext', read, 'grpc://10.0.0.1:4050', 'grpc', '10.0.0.1', 4050, 'grpc://10.0.0.1:4050');
test('grpcs is TLS', read, 'grpcs://k.example', 'grpcs', 'k.example', 443, 'grpcs://k.example:443');
test('https is TLS', read, 'https://k.example:1', 'https', 'k.example', 1, 'https://k.example:1');
test('the scheme may be in capitals', read, 'HTTPS://k', 'https', 'k', 443, 'https://k:443');
test('the last port', read, 'grpcs://k:65535', 'grpcs', 'k', 65_535, 'grpcs://k:65535');
test(
  'IPv6 stands in brackets',
  read,
  'grpcs://[2001:db8::1]:4050',
  'grpcs',
  '2001:db8::1',
  4050,
  'grpcs://[2001:db8::1]:4050',
);
test('IPv6 without a port', read, '[::1]', 'grpc', '::1', 443, 'grpc://[::1]:443');
test(
  'IPv6 with a zone',
  read,
  'grpc://[fe80::1%eth0]:1',
  'grpc',
  'fe80::1%eth0',
  1,
  'grpc://[fe80::1%eth0]:1',
);
test(
  'a name may end in a dot',
  read,
  'grpcs://k.example.:1',
  'grpcs',
  'k.example.',
  1,
  'grpcs://k.example.:1',
);
test('a name may have an underscore', read, 'my_kms:1', 'grpc', 'my_kms', 1, 'grpc://my_kms:1');

const refused = test.macro((t, text: string, column: number, words: string) => {
  const error = t.throws(() => parseEndpoint(text), {
    instanceOf: KmsEndpointError,
    code: 'ERR_KMS_ENDPOINT',
  });
  t.is(error.column, column, error.message);
  t.true(error.message.includes(words), error.message);
});

test('nothing is no endpoint', refused, '', 1, 'host is missing');
test('a scheme alone is no endpoint', refused, 'grpc://', 8, 'host is missing');
test('a port alone is no endpoint', refused, ':4050', 1, 'host is missing');
test('an unknown scheme is refused, not read as TLS', refused, 'gprc://kms:4050', 1, 'grpc, grpcs or https');
test('http is refused', refused, 'http://kms', 1, 'grpc, grpcs or https');
test('an empty scheme is refused', refused, '://kms', 1, 'grpc, grpcs or https');
test('a resolver of gRPC is no scheme', refused, 'unix:/run/kms.sock', 6, 'a path');
test('a path is refused', refused, 'https://kms/seal', 12, 'a path');
test('a slash at the end is a path', refused, 'https://kms:1/', 14, 'a path');
test('a query is refused, not ignored', refused, 'grpc://kms:4050?tls=true', 16, 'a query');
test('a fragment is refused', refused, 'grpc://kms#1', 11, 'a fragment');
test('a user is refused', refused, 'grpc://me:secret@kms', 17, 'a user');
test('white space is refused', refused, 'grpc://kms :1', 11, 'visible ASCII');
test('a line end is refused', refused, 'grpc://kms\n', 11, 'visible ASCII');
test('a name in another script is refused', refused, 'grpc://kмs', 9, 'visible ASCII');
test('IPv6 without brackets is refused', refused, 'grpc://2001:db8::1', 8, 'in brackets');
test('an open bracket is refused', refused, 'grpc://[::1', 8, 'never closed');
test('a name in brackets is refused', refused, 'grpc://[kms]:1', 9, 'only an IPv6 address');
test('IPv4 in brackets is refused', refused, 'grpc://[10.0.0.1]', 9, 'only an IPv6 address');
test('something after the bracket is refused', refused, 'grpc://[::1]4050', 13, 'a colon and a port');
test('an empty label is refused', refused, 'grpc://a..b', 10, 'no name');
test('a dot alone is refused', refused, 'grpc://.', 8, 'no name');
test('a label that begins with a hyphen is refused', refused, 'a.-b', 3, 'no name');
test('a label that ends with a hyphen is refused', refused, 'a-.b', 1, 'no name');
test('a label of 64 characters is refused', refused, `k.${'a'.repeat(64)}`, 3, 'no name');
test('a name of 254 characters is refused', refused, `${'a.'.repeat(126)}aa`, 254, 'no name');
test('a strange character is refused', refused, 'grpc://k*s', 9, 'no name');
test('an address that is none is refused', refused, '256.0.0.1', 1, 'no name');
test('a short form of an address is refused', refused, '10.1:4050', 1, 'no name');
test('a hexadecimal address is refused', refused, '0x0a000001', 1, 'no name');
test('an empty port is refused', refused, 'kms:', 5, 'from 1 to 65535');
test('port 0 is refused', refused, 'kms:0', 5, 'from 1 to 65535');
test('port 65536 is refused', refused, 'kms:65536', 5, 'from 1 to 65535');
test('a port with a zero before it is refused', refused, 'kms:04050', 5, 'from 1 to 65535');
test('a port with a sign is refused', refused, 'kms:+1', 5, 'from 1 to 65535');
test('two ports are refused', refused, 'kms:1:2', 5, 'from 1 to 65535');
test('a service name is no port', refused, 'grpc://kms:https', 12, 'from 1 to 65535');
test('a text without end is refused', refused, 'a'.repeat(1_000_000), 281, 'longer than');

test('a password is not repeated', (t) => {
  for (const text of ['grpc://me:secret@kms', 'me:secret@kms', 'ftp://me:secret@kms']) {
    const error = t.throws(() => parseEndpoint(text), { instanceOf: KmsEndpointError });
    t.notRegex(`${error.message} ${error.endpoint}`, /secret/);
  }
});

test('a long text is not repeated whole', (t) => {
  const error = t.throws(() => parseEndpoint('a'.repeat(1_000_000)), { instanceOf: KmsEndpointError });
  t.true(error.message.length < 200);
});
