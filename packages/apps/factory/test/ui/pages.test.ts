import test, { type ExecutionContext } from 'ava';

import { html } from '../../src/ui/html.ts';
import { english } from '../../src/ui/texts.ts';
import { german } from '../../src/ui/texts-de.ts';
import { bearer, guardedFactory, request, tokenOf } from '../known-callers.ts';
import {
  type Answered,
  ask,
  factoryOptions,
  type Running,
  runningFactory,
  submit,
  writeRelease,
} from '../running-factory.ts';

/** A factory whose second release has extensions. */
async function withExtensions(t: ExecutionContext): Promise<Running> {
  const { directory: _, ...options } = await factoryOptions(t);
  await writeRelease(options.releases, 'v1.14.1', {
    'os/tools': Buffer.from('hsqs'),
    'os/btrfs': Buffer.from('hsqs'),
  });
  return await runningFactory(t, options);
}

const base = '/?target=metal&version=v1.14.1&arch=amd64&lang=en';

/** Sends a form as a browser does. */
async function post(
  running: Running,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  return await ask(running, path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

const at = (path: string, fields: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(fields).toString()}`;
const textOf = ({ body }: Answered): string => body.toString();
const chosen = { target: 'metal', version: 'v1.14.1', arch: 'amd64', extensions: 'os/tools', lang: 'en' };
const idOf = ({ headers }: Answered): string =>
  new URL(String(headers['location']), 'http://x').searchParams.get('schematic-id') ?? '';

test('each page asks for what is not chosen yet, in the language that is asked for', async (t) => {
  const running = await withExtensions(t);
  const titles: readonly (readonly [path: string, en: string, de: string])[] = [
    ['/?', english.targetTitle, german.targetTitle],
    ['/?target=metal', english.versionTitle, german.versionTitle],
    ['/?target=metal&version=v1.14.1', english.machineTitle, german.machineTitle],
    ['/?target=metal&version=v1.14.1&arch=amd64', english.extensionsTitle, german.extensionsTitle],
    [
      '/?target=metal&version=v1.14.1&arch=amd64&extensions=',
      english.customizationTitle,
      german.customizationTitle,
    ],
    ['/?target=metal&version=v1.14.0&arch=amd64', english.customizationTitle, german.customizationTitle],
    [
      '/?target=metal&version=v1.14.1&arch=amd64&extensions=&step=version',
      english.versionTitle,
      german.versionTitle,
    ],
    ['/?version=v1.14.1&step=customization', english.targetTitle, german.targetTitle],
  ];
  for (const [path, en, de] of titles)
    for (const [lang, title] of [
      ['en', en],
      ['de', de],
    ] as const) {
      const { status, headers, body } = await ask(running, `${path}&lang=${lang}`);
      t.is(status, 200);
      t.is(headers['content-type'], 'text/html; charset=utf-8');
      t.true(body.toString().includes(`<h1>${title}</h1>`), `${path} ${lang}`);
      t.true(body.toString().includes(`<html lang="${lang}">`));
    }
  const accepted = await ask(running, '/', { headers: { 'accept-language': 'fr, de-AT;q=0.9, en;q=0.1' } });
  t.true(textOf(accepted).includes('<html lang="de">'));
});

test('what is searched for is shown, and what was chosen before stays chosen', async (t) => {
  const running = await withExtensions(t);
  const page = textOf(await ask(running, `${base}&extensions=os/tools&step=extensions&search=BTR`));
  t.regex(page, /<input\s+type="checkbox"\s+name="extensions"\s+value="os\/btrfs"/);
  t.regex(page, /<input type="hidden" name="extensions" value="os\/tools"/);
  t.notRegex(page, /<input\s+type="checkbox"\s+name="extensions"\s+value="os\/tools"/);
  t.regex(page, /<span id="found">1<\/span>/);
});

test('a form creates the schematic that it describes, and leads to its images', async (t) => {
  const running = await withExtensions(t);
  const answer = await post(running, '/ui/wizard', {
    ...chosen,
    cmdline: 'console=ttyS0\r\n-quiet',
    meta: '0x0a=some text\r\n\r\n12=a=b',
    'embedded-config': '\r\napiVersion: v1alpha1\r\nkind: HostnameConfig\r\nhostname: one\r\n',
    bootloader: 'sd-boot',
  });
  t.is(answer.status, 303, textOf(answer));
  const id = idOf(answer);
  const expected = [
    'customization:',
    '    embeddedMachineConfiguration: |',
    '        apiVersion: v1alpha1',
    '        kind: HostnameConfig',
    '        hostname: one',
    '    extraKernelArgs:',
    '        - console=ttyS0',
    '        - -quiet',
    '    meta:',
    '        - key: 10',
    '          value: some text',
    '        - key: 12',
    '          value: a=b',
    '    systemExtensions:',
    '        officialExtensions:',
    '            - os/tools',
    '    bootloader: sd-boot',
    '',
  ].join('\n');
  t.is(textOf(await ask(running, `/schematics/${id}`)), expected);
  const location = String(answer.headers['location']);
  t.false(location.includes('hostname'));
  const page = textOf(await ask(running, location));
  t.true(page.includes(id));
  const links = Array.from(
    page.matchAll(/href="http:\/\/factory\.example\.com(\/[^"]+)"/g),
    ([, path = '']) => path,
  );
  t.true(links.length > 12, links.join('\n'));
  for (const path of links) t.is((await ask(running, path, { method: 'HEAD' })).status, 200, path);
  const pxe = /http:\/\/factory\.example\.com(\/pxe\/[^<"]+)/.exec(page)?.[1] ?? '';
  t.regex(textOf(await ask(running, pxe)), /^#!ipxe/);
  t.true(page.includes(`factory.example.com/metal-installer/${id}:v1.14.1`));
  t.is((await ask(running, `/v2/metal-installer/${id}/manifests/v1.14.1`)).status, 200);
});

const refused: readonly (readonly [field: string, value: string, words: RegExp])[] = [
  ['cmdline', 'a="b c"', /extraKernelArgs\[0\]/],
  ['meta', 'nonsense', /META: line 1/],
  ['meta', '1=a\n0x99=b', /meta\[1\]\.key/],
  ['bootloader', 'lilo', /customization\.bootloader/],
  ['enroll-keys', 'nonsense', /enrollKeys/],
  ['embedded-config', 'a\u0001b', /embeddedMachineConfiguration/],
  ['embedded-config', 'x'.repeat(40_000), /longer than 32768 bytes/],
  [
    'embedded-config',
    'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a_b',
    /line 3: HostnameConfig hostname/,
  ],
];

test('every link of a page with images leads to an image, or to what proves one', async (t) => {
  const running = await withExtensions(t);
  const page = textOf(
    await ask(
      running,
      at('/ui/schematic', {
        'schematic-id': await submit(running, '{}'),
        target: 'metal',
        version: 'v1.14.1',
        arch: 'amd64',
      }),
    ),
  );
  const links = [...page.matchAll(/href="(?<url>http:\/\/factory\.example\.com\/[^"]+)"/gu)].map(
    ({ groups }) => groups?.['url']?.replace('http://factory.example.com', '') ?? '',
  );
  for (const end of [
    '.iso',
    '.raw.zst',
    '.iso.sha256',
    '.iso.sha512',
    '.iso.sigstore.json',
    'osctl-linux-amd64',
  ])
    t.true(
      links.some((link) => link.endsWith(end)),
      end,
    );
  for (const link of links) t.is((await ask(running, link, { method: 'HEAD' })).status, 200, link);
});

test('what is refused comes back with the field and all that was typed, and nothing is kept', async (t) => {
  const running = await withExtensions(t);
  for (const [field, value, words] of refused) {
    const { status, body } = await post(running, '/ui/wizard', {
      ...chosen,
      cmdline: 'kept=1',
      'embedded-config': '# kept, too\r\n# and this\r\n',
      [field]: value,
    });
    const page = body.toString();
    t.is(status, 400, field);
    t.regex(/role="alert">([^<]+)/.exec(page)?.[1] ?? '', words);
    if (field !== 'cmdline') t.true(page.includes('kept=1'));
    if (field !== 'embedded-config') t.true(page.includes('# kept, too\n# and this\n'));
    t.false(/line 1, column/.test(page));
  }
});

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</textarea><script>alert(1)</script>',
  'javascript:alert(1)',
  '${alert(1)}`',
  '\r\nSet-Cookie: a=b',
  '%0d%0aX-Evil: 1',
  '\u0000\u001b[31m\u2028',
  '../../etc/passwd',
  '__proto__',
  '<'.repeat(5_000),
];
const ofWizard = [
  ...Object.keys(chosen),
  'secureboot',
  'cmdline',
  'meta',
  'bootloader',
  'enroll-keys',
  'step',
];
const ofSchematic = ['schematic-id', 'version', 'platform', 'arch', 'secureboot', 'lang'];

test('nothing of a request becomes a part of a page or of its headers', async (t) => {
  const running = await withExtensions(t);
  const guarded = await guardedFactory(t);
  const token = await tokenOf(guarded, 'ann', ['token:issue', 'token:read', 'token:revoke'], ['token:issue']);
  const id = await submit(running, '{}');
  const inspect = (what: string, { status, headers, body }: Answered): void => {
    t.true([200, 303, 400, 403, 404, 431].includes(status), `${what}: ${status}`);
    for (const name of ['set-cookie', 'x-evil']) t.is(headers[name], undefined, what);
    if (status === 431 || status === 303) return;
    const page = body.toString();
    t.is(headers['content-security-policy']?.includes("default-src 'self'"), true, what);
    t.notRegex(page, /<script>|<img/i, what);
    t.notRegex(page.replaceAll(/"[^"]*"/g, '""'), /<[^>]*\s(?:on\w+|style)=/i, what);
    t.notRegex(page, /href="(?!\/|http:\/\/|#)/, what);
    t.is(page.match(/<script/g)?.length, 1, what);
    t.notRegex(page.replaceAll(/[\n\t]/g, ''), /\p{Cc}/u, what);
  };
  for (const value of hostile) {
    for (const name of ofWizard) {
      const fields = { ...chosen, search: value, [name]: value };
      inspect(`${name}=${value}`, await ask(running, at('/', { step: 'extensions', ...fields })));
      inspect(`${name}=${value}`, await ask(running, at('/', fields)));
    }
    for (const name of [...ofWizard, 'platform', 'embedded-config'])
      inspect(`form ${name}=${value}`, await post(running, '/ui/wizard', { ...chosen, [name]: value }));
    for (const name of ofSchematic)
      inspect(
        `schematic ${name}=${value}`,
        await ask(running, at('/ui/schematic', { 'schematic-id': id, [name]: value })),
      );
    for (const name of ['name', 'actor', 'ttl', 'lang']) {
      const fields = { name: 'n', actor: 'node', [name]: value };
      inspect(`token ${name}=${value}`, await post(guarded, '/ui/tokens', fields, bearer(token)));
    }
    const path = encodeURIComponent(value);
    inspect(path, await post(guarded, `/ui/tokens/${path}/revoke`, {}, bearer(token)));
  }
  inspect('many', await ask(running, `/?${'cmdline=x&'.repeat(1_000)}`));
  inspect('broken', await ask(running, '/?lang=%ff%fe&cmdline=%c3%28&extensions=%'));
});

test('a schematic whose text is hostile is text', async (t) => {
  const running = await runningFactory(t);
  const config =
    '# </code></pre><script>alert(1)</script>\napiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a';
  const id = await submit(
    running,
    JSON.stringify({ customization: { embeddedMachineConfiguration: config } }),
  );
  const page = textOf(await ask(running, `/ui/schematic?schematic-id=${id}`));
  t.true(page.includes('&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;'));
  t.is(page.match(/<script/g)?.length, 1);
});

test('a form that a page of another site has sent is refused', async (t) => {
  const running = await withExtensions(t);
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://factory.example.com' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://evil.example.com' },
    { origin: 'null' },
  ];
  for (const headers of foreign) {
    const { status, body } = await post(running, '/ui/wizard', chosen, headers);
    t.is(status, 403, JSON.stringify(headers));
    t.regex(body.toString(), /ERR_FACTORY_ORIGIN/);
  }
  const { host, port } = running.factory.address;
  for (const headers of [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://factory.example.com' },
    { origin: `http://${host}:${port}` },
    {},
  ])
    t.is((await post(running, '/ui/wizard', chosen, headers as Record<string, string>)).status, 303);
  const json = await ask(running, '/ui/wizard', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'target=metal',
  });
  t.is(json.status, 400);
  const large = await post(running, '/ui/wizard', { ...chosen, 'embedded-config': 'x'.repeat(300_000) });
  t.is(large.status, 400);
});

test('who is not let in is asked for a name and a password, in a page', async (t) => {
  const running = await guardedFactory(t);
  for (const path of ['/', '/ui/schematic?schematic-id=x', '/ui/tokens']) {
    const { status, headers, body } = await ask(running, path);
    t.is(status, 401, path);
    t.regex(String(headers['www-authenticate']), /^Basic realm=/);
    t.is(headers['content-type'], 'text/html; charset=utf-8');
    t.regex(body.toString(), /ERR_FACTORY_CREDENTIAL/);
  }
  const reader = await tokenOf(running, 'ann', ['schematic:read']);
  const { status, headers } = await ask(running, '/ui/tokens', { headers: bearer(reader) });
  t.is(status, 403);
  t.regex(String(headers['www-authenticate']), /insufficient_scope/);
  const foreign = await tokenOf(running, 'ben', ['schematic:create', 'schematic:read']);
  const created = await post(running, '/ui/wizard', { ...chosen, version: 'v1.14.0' }, bearer(foreign));
  const location = String(created.headers['location']);
  t.is((await ask(running, location, { headers: bearer(foreign) })).status, 200);
  t.is((await ask(running, location, { headers: bearer(reader) })).status, 403);
});

test('a token is issued by a form and shown once, listed and revoked', async (t) => {
  const running = await guardedFactory(t);
  const all = ['token:issue', 'token:read', 'token:revoke', 'image:read'] as const;
  const token = await tokenOf(running, 'ann', [...all], [...all]);
  const headers = bearer(token);
  const issued = await post(running, '/ui/tokens', { name: 'rack <7>', actor: 'node', ttl: '720h' }, headers);
  t.is(issued.status, 200);
  t.is(issued.headers['cache-control'], 'private, no-store');
  const [text = ''] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(textOf(issued)) ?? [];
  t.is((await ask(running, '/v2/', { headers: bearer(text) })).status, 200);
  const page = textOf(await ask(running, '/ui/tokens', { headers }));
  t.false(page.includes('eyJ'));
  t.true(page.includes('rack &lt;7&gt;'));
  const action = /action="(\/ui\/tokens\/[^"]+\/revoke)"/.exec(page)?.[1] ?? '';
  t.is((await post(running, action, {}, headers)).headers['location'], '/ui/tokens?lang=en');
  t.is((await ask(running, '/v2/', { headers: bearer(text) })).status, 401);
  t.is((await post(running, action, {}, headers)).status, 404);

  const beyond = await post(running, '/ui/tokens', { name: 'n', actor: 'admin' }, headers);
  t.is(beyond.status, 403);
  t.regex(textOf(beyond), /more than the issuable_scopes/);
  const none = await post(running, '/ui/tokens', { name: '  ', actor: 'node', ttl: '' }, headers);
  t.is(none.status, 400);
  // Who may issue and not list sees no list.
  const issuer = await tokenOf(running, 'ann', ['token:issue', 'image:read'], ['image:read']);
  await request(running, running.bootstrap, { subject: 'ann', name: 'of-others', scopes: ['image:read'] });
  const blind = textOf(await post(running, '/ui/tokens', { name: 'n', actor: 'node' }, bearer(issuer)));
  t.regex(blind, /eyJ/);
  t.false(blind.includes('of-others'));
});

test('files of pages are asked for once, and are of their types', async (t) => {
  const running = await runningFactory(t);
  for (const [path, type] of [
    ['/ui/style.css', 'text/css; charset=utf-8'],
    ['/ui/page.js', 'text/javascript; charset=utf-8'],
    ['/ui/icon.svg', 'image/svg+xml'],
  ] as const) {
    const { status, headers } = await ask(running, path);
    t.is(status, 200);
    t.is(headers['content-type'], type);
    const again = await ask(running, path, { headers: { 'if-none-match': String(headers['etag']) } });
    t.is(again.status, 304);
  }
  t.is((await ask(running, '/ui/../package.json')).status, 404);
});

test('a value is text, whatever it is, and only pieces are pieces', (t) => {
  const page = html`<p title="${'"\'`'}">${['<a>', html`<i>${'&'}</i>`]}${undefined}${false}${0}</p>`;
  t.is(page.toString(), '<p title="&quot;&#39;&#96;">&lt;a&gt;<i>&amp;</i>0</p>');
});
