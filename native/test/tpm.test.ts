import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import {
  leakedDescriptors,
  openDescriptors,
  program,
  softwareTpm,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import test from 'ava';

import { TpmConnection } from '../src/index.ts';

const withTpm = testWith(program('swtpm'));

const index = new URL('../src/index.ts', import.meta.url).href;
const collect = (globalThis as { gc?: () => void }).gc;

const addon =
  process.env['NODECORE_NATIVE'] ?? fileURLToPath(new URL('../build/Release/nodecore.node', import.meta.url));
const core = join(dirname(dirname(addon)), 'tpm_test');

const sha256 = 0x000b;
const requests = `
  const nothing = new Uint8Array();
  const policy = { exponent: 0, authorizeAlg: 11, authorizeMask: 0, pcrAlg: 11, pcrMask: 0, authValue: false };
  const request = { primaryAlg: 0, secret: new Uint8Array(32), auth: nothing, policyDigest: new Uint8Array(32), policy };`;

async function settled(before: ReadonlyMap<number, string>): Promise<string[]> {
  const deadline = performance.now() + 10_000;
  while (leakedDescriptors(before).length > 0 && performance.now() < deadline) await setImmediate();
  return leakedDescriptors(before);
}

async function run(
  script: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{
  readonly code: unknown;
  readonly signal: unknown;
  readonly stdout: string;
  readonly stderr: string;
}> {
  const argv = ['--conditions=source', '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, stdout, stderr };
}

withTpm("the TPM's core works without JavaScript, and forgets every secret", async (t) => {
  const { tcti } = await softwareTpm(t);
  const output = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, LD_PRELOAD: '' };
    execFile(core, [tcti], { env }, (error, stdout, stderr) => {
      if (error === null || typeof error.code === 'number') resolve(stdout + stderr);
      else reject(error);
    });
  });
  const results = output.trimEnd().split('\n');
  t.deepEqual(
    results.filter((line) => !line.startsWith('ok - ')),
    [],
  );
  t.true(results.length > 15);
});

withTpm('a connection that is dropped without close is collected with its descriptors', async (t) => {
  const { tcti } = await softwareTpm(t);
  await (await TpmConnection.open(tcti)).end(); // opens the loop's own descriptors
  const before = openDescriptors();
  await (await TpmConnection.open(tcti)).readPcrs(sha256, 0x80);
  t.truthy(collect, 'run with --expose-gc');
  const deadline = performance.now() + 10_000;
  while (leakedDescriptors(before).length > 0 && performance.now() < deadline) {
    collect?.();
    await setImmediate();
  }
  t.deepEqual(leakedDescriptors(before), []);
});

withTpm('a connection closed in the middle of requests rejects them, and ends', async (t) => {
  const { tcti } = await softwareTpm(t);
  await (await TpmConnection.open(tcti)).end();
  const before = openDescriptors();
  const connection = await TpmConnection.open(tcti);
  const reads = [1, 2, 3].map(() => connection.readPcrs(sha256, 0xffffff));
  connection.close();
  connection.close();
  for (const { status } of await Promise.allSettled(reads)) t.is(status, 'rejected');
  await t.throwsAsync(connection.readPcrs(sha256, 1), { instanceOf: TypeError });
  t.deepEqual(await settled(before), []);
});

withTpm('process.exit in the middle of a seal ends the process with its code', async (t) => {
  const { tcti } = await softwareTpm(t);
  const { code, signal, stderr } = await run(`
    import { TpmConnection } from ${JSON.stringify(index)};
    ${requests}
    const connection = await TpmConnection.open(${JSON.stringify(tcti)});
    for (let n = 0; n < 5; n += 1) void connection.seal(request).catch(() => {});
    void connection.seal(request).then(() => {}, () => {});
    setImmediate(() => process.exit(7));`);
  t.deepEqual({ code, signal, stderr }, { code: 7, signal: null, stderr: '' });
});

withTpm('a process ends although it has a connection that it does not use', async (t) => {
  const { tcti } = await softwareTpm(t);
  const { code, stdout } = await run(`
    import { TpmConnection } from ${JSON.stringify(index)};
    ${requests}
    const connection = await TpmConnection.open(${JSON.stringify(tcti)});
    console.log((await connection.seal(request)).blob.length > 100);`);
  t.deepEqual({ code, stdout }, { code: 0, stdout: 'true\n' });
});

withTpm('worker threads use the TPM one after the other, whether they end or are ended', async (t) => {
  const { tcti } = await softwareTpm(t);
  const before = openDescriptors();
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { TpmConnection } from ${JSON.stringify(index)};
    ${requests}
    const connection = await TpmConnection.open(${JSON.stringify(tcti)});
    await connection.seal(request);
    parentPort.postMessage('sealed');
    for (;;) await connection.seal(request);`;
  for (let round = 0; round < 3; round += 1) {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
      execArgv: ['--conditions=source'],
    });
    await once(worker, 'message');
    await worker.terminate();
  }
  t.deepEqual(await settled(before), []);
});

test('a missing library says which packages bring it, and what needs no TPM works', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'libtss2-esys.so.0'), 'not a library');
  const { code, stdout } = await run(
    `
    import { TpmConnection, UeventSocket } from ${JSON.stringify(index)};
    UeventSocket.open().close();
    await TpmConnection.open('device:/dev/null').catch(({ code, message }) => console.log(code, message));`,
    { LD_LIBRARY_PATH: directory },
  );
  t.is(code, 0);
  t.regex(
    stdout,
    /^ERR_NATIVE_LIBRARY libtss2-esys\.so\.0 can't be used .*libtss2-esys-3\.0\.2-0 \(Debian\) or tpm2-tss \(Fedora\)/,
  );
});
