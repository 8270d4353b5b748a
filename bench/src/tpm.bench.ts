import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Secret } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';
import { softwareTpm } from '@nodecore/testkit/software-tpm';
import { open, type SealedObject, type Tpm } from '@nodecore/tpm';

import { runProgram } from './program.ts';
import { loopDelayMs } from './loop-delay.ts';
import { limit } from './limit.ts';
import { ask, type Bench } from './question.ts';

const budgetMs = 2;

/** The first two places for objects; by their numbers, so that no program has to load what is loaded. */
const [rootHandle, objectHandle] = ['0x80000000', '0x80000001'];

export const bench: Bench = {
  async prepare(stack) {
    const { tcti } = await softwareTpm({
      teardown: (end) => {
        stack.defer(async () => {
          await end();
        });
      },
    });
    const tools = await directory(stack, tcti);
    const secret = stack.adopt(Secret.random(32), (owned) => owned[Symbol.dispose]());
    await writeFile(join(tools.path, 'secret'), secret.bytes, { mode: 0o600 });
    await connected(tcti, (tpm) => tpm.extendPcr(7, createHash('sha256').update('Secure Boot').digest()));

    const sealOurs = (): Promise<SealedObject> => connected(tcti, (tpm) => tpm.seal(secret, { pcrs: [7] }));
    const sealTheirs = async (): Promise<void> => {
      await tools.run('tpm2_createprimary', '-Q', '-C', 'o', '-G', 'ecc', '-c', 'root');
      await tools.run('tpm2_createpolicy', '-Q', '--policy-pcr', '-l', 'sha256:7', '-L', 'policy');
      const into = ['-u', 'public', '-r', 'private'];
      await tools.run('tpm2_create', '-Q', '-C', rootHandle, '-L', 'policy', '-i', 'secret', ...into);
    };
    const unsealTheirs = async (): Promise<void> => {
      await tools.run('tpm2_createprimary', '-Q', '-C', 'o', '-G', 'ecc', '-c', 'root');
      await tools.run('tpm2_load', '-Q', '-C', rootHandle, '-u', 'public', '-r', 'private', '-c', 'object');
      await tools.run('tpm2_unseal', '-c', objectHandle, '-p', 'pcr:sha256:7', '-o', 'back');
    };
    const sealed = await sealOurs();
    await tools.tidy(sealTheirs);

    return [
      ask({
        name: 'tpm-seal',
        question:
          'How long does it take to seal to PCR 7, with our proof that it unseals and without theirs?',
        gate: 0.3,
        ours: { name: 'open, seal, close', run: async () => hex((await sealOurs()).policyHash) },
        peer: {
          name: 'tpm2_createprimary, tpm2_createpolicy, tpm2_create',
          run: async () => {
            await tools.tidy(sealTheirs);
            return hex(await readFile(join(tools.path, 'policy')));
          },
          sample: () => tools.tidy(sealTheirs),
        },
      }),
      ask({
        name: 'tpm-unseal',
        question: 'How long does it take to unseal what is sealed to PCR 7?',
        gate: 0.25,
        ours: {
          name: 'open, unseal, close',
          run: () =>
            connected(tcti, async (tpm) => {
              using back = await tpm.unseal(sealed);
              return hex(back.bytes);
            }),
        },
        peer: {
          name: 'tpm2_createprimary, tpm2_load, tpm2_unseal',
          run: async () => {
            await tools.tidy(unsealTheirs);
            return hex(await readFile(join(tools.path, 'back')));
          },
          sample: () => tools.tidy(unsealTheirs),
        },
      }),
      limit({
        name: 'tpm-loop-delay',
        question: 'How much does a seal delay the event loop beyond idle?',
        ours: 'p99 delay during seal − idle',
        budget: budgetMs,
        rounds: 31,
        sample: async () => {
          const started = performance.now();
          const during = await loopDelayMs(sealOurs);
          const idle = await loopDelayMs(() => systemClock.sleep(performance.now() - started));
          return Math.max(0, during - idle);
        },
      }),
    ];
  },
};

/** The software TPM serves one at a time: both sides connect for each run and leave. */
async function connected<T>(tcti: string, use: (tpm: Tpm) => Promise<T>): Promise<T> {
  await using tpm = await open({ tcti });
  return await use(tpm);
}

type Tools = {
  readonly path: string;
  readonly run: (...argv: [string, ...string[]]) => Promise<string>;
  /** Says how long the work took, in milliseconds; what the programs leave in the TPM is flushed after that. */
  readonly tidy: (work: () => Promise<void>) => Promise<number>;
};

/** Where the programs keep their files. */
async function directory(stack: AsyncDisposableStack, tcti: string): Promise<Tools> {
  const path = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  stack.defer(() => rm(path, { recursive: true, force: true }));
  const run = (...argv: [string, ...string[]]): Promise<string> => {
    return runProgram(['env', '--chdir', path, `TPM2TOOLS_TCTI=${tcti}`, ...argv]);
  };
  const tidy = async (work: () => Promise<void>): Promise<number> => {
    const started = performance.now();
    await work();
    const elapsed = performance.now() - started;
    for (const kind of ['--transient-object', '--loaded-session']) await run('tpm2_flushcontext', kind);
    return elapsed;
  };
  return { path, run, tidy };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
