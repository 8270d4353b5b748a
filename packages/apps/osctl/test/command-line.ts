import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { run } from '../src/main.ts';
import { requireErrors, requireShape } from './answer-shape.ts';
import { authority } from './fake-node.ts';

export type Outcome = { readonly code: number; readonly out: string; readonly error: string };

export type RunOptions = {
  readonly input?: string | Uint8Array;
  /** Typed at a terminal, which is there to be asked at. */
  readonly typed?: string;
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Sees what is printed so far, after every write. */
  readonly onOutput?: (out: string) => void;
  /** Sees what is printed to standard error so far. */
  readonly onError?: (error: string) => void;
  /** Gets what is printed, as bytes. */
  readonly onBytes?: (bytes: Uint8Array) => void;
};

/** Runs one command line in this process. JSON that it prints has to be as it is published. */
export async function osctl(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const written = { out: '', error: '' };
  const collect = (name: keyof typeof written): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written[name] += chunk.toString();
        done();
        if (name === 'out') options.onBytes?.(chunk);
        else options.onError?.(written.error);
        options.onOutput?.(written.out);
      },
    });
  const code = await run(args, {
    out: collect('out'),
    error: collect('error'),
    input: options.typed === undefined ? inputOf(options.input) : typing(options.typed),
    // The node that is asked for completions is in this process, too, and both start up within the time.
    env: { HOME: '/nonexistent', OSCTL_COMPLETION_TIMEOUT: '60s', ...options.env },
    signal: options.signal ?? new AbortController().signal,
  });
  await requireShape(args, written.out);
  if (options.env?.['OSCTL_ERRORS'] === 'json') await requireErrors(args, written.error);
  return { code, ...written };
}

function inputOf(text: string | Uint8Array | undefined): Readable {
  return text === undefined ? new PassThrough() : Readable.from([Buffer.from(text)]);
}

function typing(text: string): Readable {
  return Object.assign(inputOf(text), { isTTY: true });
}

/** A client config with one context, and the environment that selects it. */
export async function clientConfig(
  t: ExecutionContext,
  context: {
    readonly endpoints: readonly string[];
    readonly nodes?: readonly string[];
    readonly roles?: readonly string[];
  },
): Promise<Record<string, string>> {
  const path = join(await temporaryDirectory(t), 'config');
  const { crt, key } = await pki.issueClient(authority, { roles: context.roles ?? ['os:admin'] });
  const config = Osconfig.empty(path);
  config.set('test', {
    endpoints: context.endpoints,
    nodes: context.nodes ?? [],
    ca: authority.crt,
    crt,
    key,
  });
  config.use('test');
  await writeFile(path, config.encode());
  return { OSCONFIG: path };
}
