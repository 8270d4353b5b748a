import { inspect } from 'node:util';

import test from 'ava';

import { Secret } from '@nodecore/sys';
import { Osconfig } from '../src/osconfig.ts';

const keyText = '-----BEGIN PRIVATE KEY-----\nMARKERMARKER\n-----END PRIVATE KEY-----\n';
const keyBase64 = Buffer.from(keyText).toString('base64');

const text = `# my clusters
context: home
contexts:
  home:
    endpoints: [10.0.0.1, 10.0.0.2] # both
    nodes: [10.0.0.3]
    key: ${keyBase64}
    future: {kept: true}
  work: {endpoints: [192.0.2.1]}
`;

const read = (source: string): Osconfig => Osconfig.parse(source, 'config');

test('the current context is the default, any other is read by name', (t) => {
  const config = read(text);
  t.deepEqual(config.names, ['home', 'work']);
  const { key, ...home } = config.context();
  t.deepEqual(home, { name: 'home', endpoints: ['10.0.0.1', '10.0.0.2'], nodes: ['10.0.0.3'] });
  t.is(key?.bytes.toString(), keyText);
  t.deepEqual(config.context('work').endpoints, ['192.0.2.1']);
});

test('a missing context is named together with those that exist and what to do', (t) => {
  const error = t.throws(() => read(text).context('nope'), { code: 'ERR_OSCONFIG_CONTEXT' });
  t.is(error.message, 'context "nope" not found in config: it has home, work; see osctl config contexts');
  t.throws(() => read(text).context('toString'), { code: 'ERR_OSCONFIG_CONTEXT' });
  t.is(
    t.throws(() => Osconfig.empty('config').context()).message,
    'there is no client config yet: config does not exist; run osctl config merge <file>',
  );
  t.is(
    t.throws(() => read('').context()).message,
    'no context is set in config; run osctl config merge <file>',
  );
  t.regex(t.throws(() => read('contexts: {a: {}}').context()).message, /osctl config context <name>/u);
});

test('an edit keeps comments and fields that we do not know', (t) => {
  const config = read(text);
  config.use('work');
  config.setEndpoints('home', ['::1']);
  config.setNodes('work', ['192.0.2.9']);
  const written = config.encode().toString();
  t.true(written.startsWith('# my clusters\n'));
  t.regex(written, /future: *\{ kept: true \}/u);
  const again = read(written);
  t.is(again.current, 'work');
  t.deepEqual(again.context('home').endpoints, ['::1']);
  t.deepEqual(again.context('work').nodes, ['192.0.2.9']);
});

test('a context that is written reads back the same', (t) => {
  const config = Osconfig.empty('config');
  const key = Secret.copy(Buffer.from(keyText));
  const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  config.set('node', { endpoints: ['127.0.0.1:50000'], ca: pem, crt: pem, key, proxyUrl: 'direct' });
  config.use('node');
  const { key: readKey, ...context } = read(config.encode().toString()).context();
  t.true(readKey?.equals(key));
  t.deepEqual(context, {
    name: 'node',
    endpoints: ['127.0.0.1:50000'],
    nodes: [],
    ca: pem,
    crt: pem,
    proxyUrl: 'direct',
  });
});

test('merging renames what clashes, says so, and takes over the current context', (t) => {
  const config = read(text);
  const other = 'context: work\ncontexts: {work: {endpoints: [a]}, lab: {endpoints: [b]}}\n';
  t.deepEqual(config.merge(read(other)), [{ from: 'work', to: 'work-1' }]);
  t.deepEqual(config.merge(read(other.replace('[a]', '[c]'))), [{ from: 'work', to: 'work-2' }]);
  t.deepEqual(config.names, ['home', 'work', 'work-1', 'lab', 'work-2']);
  t.is(config.current, 'work-2');
  t.deepEqual(config.context('work-1').endpoints, ['a']);
});

test('merging the same context twice changes nothing', (t) => {
  const config = read(text);
  t.deepEqual(config.merge(read(text)), []);
  t.deepEqual(config.names, ['home', 'work']);
});

test('removing the current context leaves none current', (t) => {
  const config = read(text);
  config.remove('home');
  t.deepEqual(config.names, ['work']);
  t.is(config.current, undefined);
});

test('a file that is no client config is refused with its line and without its content', (t) => {
  const broken = [
    `contexts:\n  a:\n    key: "MARKER\n`,
    'contexts: [MARKER]',
    'MARKER',
    'contexts: {a: MARKER}',
    'context: {MARKER: 1}',
  ];
  for (const source of broken) {
    const error = t.throws(() => read(source), { code: 'ERR_OSCONFIG_INVALID' }, source);
    t.false(inspect(error, { depth: 9 }).includes('MARKER'), source);
  }
  for (const field of ['key: MARKER', 'key: [MARKER]', 'endpoints: MARKER', 'cluster: [MARKER]']) {
    const error = t.throws(() => read(`contexts: {a: {${field}}}`).context('a'), {
      code: 'ERR_OSCONFIG_INVALID',
    });
    t.false(inspect(error, { depth: 9 }).includes('MARKER'), field);
  }
});

test('neither a config nor a context prints its key', (t) => {
  const config = read(text);
  const shown =
    inspect([config, config.context()], { depth: 20, showHidden: true }) +
    JSON.stringify([config, config.context()]);
  for (const secret of ['MARKER', keyBase64.slice(10, 40)]) t.false(shown.includes(secret));
});

function pem(name: string): string {
  return `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;
}

test('whom a context believes and what it shows is changed, as far as it is given, and all else stays', (t) => {
  const config = read(text);
  config.setCredentials('home', { ca: pem('CA') });
  using kept = config.context().key;
  t.is(kept?.bytes.toString(), keyText);
  using key = Secret.take(Buffer.from(keyText.replaceAll('MARKER', 'OTHER')));
  config.setCredentials('home', { crt: pem('CRT'), key });
  const { key: next, ...home } = config.context();
  using _next = next;
  t.like(home, { ca: pem('CA'), crt: pem('CRT'), nodes: ['10.0.0.3'] });
  t.is(next?.bytes.toString(), keyText.replaceAll('MARKER', 'OTHER'));
  const written = config.encode().toString();
  t.true(written.includes('future: { kept: true }') || written.includes('future: {kept: true}'));
  t.true(written.includes('# both'));
  t.throws(() => config.setCredentials('nope', {}), { code: 'ERR_OSCONFIG_CONTEXT' });
});
