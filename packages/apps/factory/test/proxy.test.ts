import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

import { findProgram, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { ask, type Answered, type Asked, type Running, runningFactory } from './running-factory.ts';

/** nginx in front of a factory, as it is without a word about either. @returns asks through it. */
async function behindNginx(
  t: ExecutionContext,
  { factory }: Running,
): Promise<(path: string, asked?: Asked) => Promise<Answered>> {
  const directory = await temporaryDirectory(t);
  const [configuration, socketPath] = [join(directory, 'nginx.conf'), join(directory, 'socket')];
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const { host, port } = factory.address;
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${directory}/pid; error_log stderr crit;
events {}
http {
  access_log off; gzip on; ${places.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
  server { listen unix:${socketPath}; location / { proxy_pass http://${host}:${port}; } }
}
`,
  );
  const words = ['-p', directory, '-c', configuration, '-e', 'stderr'];
  const child = spawn(findProgram('nginx') ?? '', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill();
    await ended;
  });
  const through = async (
    path: string,
    { method = 'GET', headers = {}, body }: Asked = {},
  ): Promise<Answered> => {
    const asked = request({ socketPath, path, method, headers, agent: false });
    asked.end(body);
    const [response] = await once(asked, 'response');
    const chunks: Buffer[] = await response.toArray();
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  };
  while (child.exitCode === null)
    // until it listens
    if ((await through('/healthz').catch(() => undefined))?.status === 200) break;
  return through;
}

testWith(program('nginx'))(
  'a schematic goes through a proxy as it is, whatever its type is said to be, and so does what is wrong with it',
  async (t) => {
    const running = await runningFactory(t);
    const through = await behindNginx(t, running);
    const configuration = `# a comment, kept\\r\\nmachine: {type: worker} # ü\\n${'# '.padEnd(40_000, 'x')}\\n`;
    const texts = [
      '{}',
      '# ü\r\ncustomization:\r\n  extraKernelArgs: [console=ttyS0, "a=ü%20+&"]\r\n',
      'customization:\n  embeddedMachineConfiguration: |\n    apiVersion: v1alpha1 \n    kind: HostnameConfig\n    hostname: a\n',
      `customization: {embeddedMachineConfiguration: "${configuration}"}`,
      'customization:\n  bootloader: lilo\n',
      'a: [',
    ];
    const types = [
      'application/yaml',
      'text/plain; charset=latin1',
      'application/x-www-form-urlencoded',
      'application/json',
    ];
    for (const body of texts)
      for (const type of types)
        for (const length of [true, false]) {
          const sized = length ? { 'content-length': `${Buffer.byteLength(body)}` } : {};
          const headers = { 'content-type': type, ...sized };
          const [direct, proxied] = [
            await ask(running, '/schematics', { method: 'POST', body, headers }),
            await through('/schematics', { method: 'POST', body, headers }),
          ];
          t.is(proxied.status, direct.status, body.slice(0, 80));
          t.deepEqual(proxied.body, direct.body, body.slice(0, 80));
          if (proxied.status !== 201) continue;
          const { id, schematic } = JSON.parse(proxied.body.toString());
          const back = await through(`/schematics/${id}`, { headers: { 'accept-encoding': 'gzip' } });
          t.is(back.body.toString(), schematic);
        }
  },
);

testWith(program('nginx'))(
  'an image goes through a proxy as it is, by HEAD, in parts, and not twice',
  async (t) => {
    const running = await runningFactory(t);
    const through = await behindNginx(t, running);
    const { body } = await through('/schematics', { method: 'POST', body: '{}' });
    const { id } = JSON.parse(body.toString()) as { readonly id: string };
    const path = `/image/${id}/v1.14.0/metal-amd64.raw.zst`;
    const whole = await ask(running, path);
    for (const headers of [
      {},
      { range: 'bytes=1000-' },
      { range: 'bytes=-7', 'if-range': String(whole.headers['etag']) },
      { range: `bytes=${whole.body.length}-` },
      { 'if-none-match': String(whole.headers['etag']) },
    ])
      for (const method of ['GET', 'HEAD']) {
        const [direct, proxied] = [
          await ask(running, path, { method, headers }),
          await through(path, { method, headers: { ...headers, 'accept-encoding': 'gzip' } }),
        ];
        t.is(proxied.status, direct.status);
        for (const name of ['content-length', 'content-range', 'etag', 'content-type', 'content-encoding'])
          t.is(proxied.headers[name], direct.headers[name], `${JSON.stringify(headers)} ${name}`);
        t.true(proxied.body.equals(direct.body), JSON.stringify(headers));
      }
  },
);
