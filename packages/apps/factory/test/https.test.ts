import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

import { createCA, issueServer } from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { startFactory } from '../src/index.ts';
import { ask, factoryOptions, runningFactory, submit } from './running-factory.ts';

const run = promisify(execFile);

/** A certificate of openssl that signs itself, and its key. */
async function certificateOf(
  t: ExecutionContext,
  name: string,
): Promise<{ certFile: string; keyFile: string }> {
  const directory = await temporaryDirectory(t);
  const [certFile, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run('openssl', ['req', ...kind, ...subject, '-keyout', keyFile, '-out', certFile]);
  return { certFile, keyFile };
}

async function connected(port: number, ca: Buffer): Promise<TLSSocket> {
  const socket = connectSecurely({ port, host: '127.0.0.1', ca });
  await once(socket, 'secureConnect');
  return socket;
}

test('a factory with a certificate answers by HTTPS, and nothing to who does not', async (t) => {
  const tls = await certificateOf(t, 'one');
  const { factory } = await runningFactory(t, { tls });
  const { port } = factory.address;
  const curl = ['--silent', '--show-error', '--fail', '--cacert', tls.certFile, '--data', '{}'];
  const { stdout } = await run('curl', [...curl, `https://127.0.0.1:${port}/schematics`]);
  t.regex(stdout, /^{"id":"376567988/);
  for (const sent of ['GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', '\x16\x03\x01 no handshake']) {
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.on('error', () => {});
    socket.end(sent);
    const said: Buffer[] = [];
    socket.on('data', (chunk) => said.push(chunk));
    await once(socket, 'close');
    t.false(Buffer.concat(said).includes('HTTP/1.1 200'));
  }
  await t.notThrowsAsync(run('curl', [...curl, `https://127.0.0.1:${port}/schematics`]));
});

test('a factory that ends waits for no handshake', async (t) => {
  t.timeout(20_000, 'it waits');
  const { factory } = await runningFactory(t, { tls: await certificateOf(t, 'one') });
  const socket = connect(factory.address.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  await factory.close();
  t.pass();
});

test('where it listens by HTTPS is its address, unless it is told another one', async (t) => {
  const tls = await certificateOf(t, 'one');
  const { externalUrl: _others, directory: _directory, ...options } = await factoryOptions(t);
  const factory = await startFactory({ ...options, tls });
  t.teardown(() => factory.close());
  t.is(factory.externalUrl, `https://127.0.0.1:${factory.address.port}`);
});

test('a renewed certificate is that of the next connection, and halves of one are none', async (t) => {
  t.timeout(30_000, 'nobody takes the new one');
  const [tls, next] = [await certificateOf(t, 'one'), await certificateOf(t, 'two')];
  const warned = Promise.withResolvers<string>();
  const { factory } = await runningFactory(t, { tls, onWarning: (line) => warned.resolve(line) });
  const { port } = factory.address;
  const [one, two] = [await readFile(tls.certFile), await readFile(next.certFile)];
  const before = await connected(port, one);
  t.teardown(() => before.destroy());
  await rename(next.certFile, tls.certFile);
  t.is(
    await warned.promise,
    `the certificate stays as it was: http.keyFile: ${tls.keyFile}: is not the key of ${tls.certFile}`,
  );
  (await connected(port, one)).destroy();
  await rename(next.keyFile, tls.keyFile);
  for (;;) {
    const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const name = socket.getPeerCertificate().subject.CN;
    socket.destroy();
    if (name === 'two') break;
  }
  (await connected(port, two)).destroy();
  before.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  t.regex(String((await before.toArray())[0]), /^HTTP\/1\.1 200 /);
});

test('a certificate that has expired is used, and said to be one', async (t) => {
  const warnings: string[] = [];
  const onWarning = (line: string): void => void warnings.push(line);
  const tls = await certificateOf(t, 'one');
  const authority = await createCA('old');
  const { crt, key } = await issueServer(authority, {
    names: ['127.0.0.1'],
    lifetimeMs: 1_000,
    nowMs: 864e5,
  });
  await writeFile(tls.certFile, crt);
  await writeFile(tls.keyFile, key.bytes);
  for (const secret of [key, authority.key]) secret[Symbol.dispose]();
  const { factory } = await runningFactory(t, { tls, onWarning });
  t.is(warnings.length, 1);
  t.regex(warnings[0]!, /^http\.certFile: .*tls\.crt: has expired at 1970-01-02T/);
  const { host, port } = factory.address;
  const socket = connectSecurely({ port, host, rejectUnauthorized: false });
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
  t.is(String(socket.authorizationError), 'CERT_HAS_EXPIRED');
});

test('files that do not belong together, or are none, keep it from its start, with the key that says so', async (t) => {
  const [one, two] = [await certificateOf(t, 'one'), await certificateOf(t, 'two')];
  const none = join(await temporaryDirectory(t), 'none');
  await writeFile(none, 'secret');
  const [chain, binary, locked] = [`${none}.chain`, `${none}.der`, `${none}.locked`];
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  await writeFile(chain, `${await readFile(one.certFile, 'utf8')}${broken}`);
  await run('openssl', ['x509', '-in', one.certFile, '-outform', 'der', '-out', binary]);
  await run('openssl', ['pkcs8', '-topk8', '-in', one.keyFile, '-passout', 'pass:secret', '-out', locked]);
  for (const [tls, message] of [
    [{ ...one, keyFile: two.keyFile }, /^http\.keyFile: .*: is not the key of /],
    [{ ...one, keyFile: none }, /^http\.keyFile: .*: is none in PEM$/],
    [{ ...one, certFile: none }, /^http\.certFile: .*: is none in PEM$/],
    [{ ...one, certFile: `${none}.not` }, /^http\.certFile: .*: ENOENT$/],
    [{ ...one, certFile: chain }, /^http\.certFile: .*: TLS does not take it: ERR_OSSL_ASN1_WRONG_TAG$/],
    [{ ...one, certFile: binary }, /^http\.certFile: .*: TLS does not take it: ERR_OSSL_PEM_NO_START_LINE$/],
    [{ ...one, keyFile: locked }, /^http\.keyFile: .*: has a passphrase: give it without$/],
  ] as const) {
    const { directory: _directory, ...options } = await factoryOptions(t);
    await t.throwsAsync(startFactory({ ...options, tls }), { code: 'ERR_FACTORY_SETUP', message });
  }
});

test('scripts for iPXE have an address of their own where one is given', async (t) => {
  const running = await runningFactory(t, { externalPxeUrl: 'http://pxe.example.com/' });
  const id = await submit(running, '{}');
  const script = (await ask(running, `/pxe/${id}/v1.14.0/metal-amd64`)).body.toString();
  t.deepEqual(new Set(script.match(/http:\/\/[^/]+/g)), new Set(['http://pxe.example.com']));
  const page = (await ask(running, `/ui/schematic?schematic-id=${id}&version=v1.14.0`)).body.toString();
  t.true(page.includes(`http://pxe.example.com/pxe/${id}/v1.14.0/metal-amd64`));
  t.true(page.includes(`http://factory.example.com/image/${id}/`));
});

test('pages of other sites may read answers, or only those of sites that are named', async (t) => {
  const allowed = async (allowedOrigins: readonly string[] | undefined, origin: string) => {
    const running = await runningFactory(t, allowedOrigins === undefined ? {} : { allowedOrigins });
    const { headers } = await ask(running, '/versions', { headers: { origin } });
    return [headers['access-control-allow-origin'], headers['vary']];
  };
  const [site, other] = ['https://site.example.com', 'https://other.example.com'];
  t.deepEqual(await allowed(undefined, site), ['*', undefined]);
  t.deepEqual(await allowed([site], site), [site, 'origin']);
  t.deepEqual(await allowed([site], other), [undefined, 'origin']);
  t.deepEqual(await allowed([], site), [undefined, 'origin']);
});
