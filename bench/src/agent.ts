import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { type Client, connect } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { agentEnvironment } from '@nodecore/testkit/agent-environment';

import { cpuMs } from './cpu-time.ts';

const program = fileURLToPath(new URL('../../packages/apps/agent/bin/nodecore-agent.js', import.meta.url));

export type Authority = Awaited<ReturnType<typeof pki.createCA>>;

export type BenchAgent = {
  readonly pid: number;
  /** Host and port. */
  readonly endpoint: string;
  /** Signs certificates of callers. */
  readonly ca: Authority;
  /** Who may read, and nothing else. */
  readonly reader: Client;
  /** Milliseconds of processor time that the agent has used, with all its threads. */
  readonly cpuMs: () => Promise<number>;
};

export type AgentConfiguration = {
  /** Beside the root document. */
  readonly documents?: string;
  /** Sections of the root document, beside `machine`. */
  readonly sections?: string;
  /** More flags of the program. */
  readonly flags?: readonly string[];
};

/** An agent without volumes in a process of its own, which ends with the stack. */
export async function startAgent(
  stack: AsyncDisposableStack,
  directory: string,
  { documents = '', sections = '', flags = [] }: AgentConfiguration = {},
): Promise<BenchAgent> {
  const argv = ['--state', join(directory, 'state'), '--run-directory', join(directory, 'run')];
  const child = spawn(process.execPath, [program, ...argv, '--listen', '127.0.0.1:0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...agentEnvironment },
  });
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill();
    await ended;
  });
  const lines = createInterface({ input: child.stdout });
  const port = await logged(lines, 'listening', 'port');
  const ca = await pki.createCA('bench');
  const endpoint = `127.0.0.1:${Number(port)}`;
  using stranger = connect({ endpoint, insecure: true });
  await stranger.applyConfiguration({ data: Buffer.from(configurationText(ca, { sections, documents })) });
  lines.on('line', () => {}); // the log goes on
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:reader'] });
  const reader = connect({ endpoint, ca: ca.crt, crt, key });
  stack.defer(() => reader.close());
  const pid = child.pid ?? 0;
  return { pid, endpoint, ca, reader, cpuMs: () => cpuMs(pid, 'own') };
}

/** A field of the first line of a log with that message. */
export async function logged(lines: AsyncIterable<string>, message: string, field: string): Promise<unknown> {
  for await (const line of lines) {
    if (!line.startsWith('{')) continue;
    const entry = JSON.parse(line) as Record<string, unknown>;
    if (entry['msg'] === message) return entry[field];
  }
  throw new Error(`the agent ended without "${message}"`);
}

/** What an agent of a bench is configured with. */
export function configurationText(
  ca: Authority,
  { sections = '', documents = '' }: Pick<AgentConfiguration, 'sections' | 'documents'>,
): string {
  const crt = Buffer.from(ca.crt).toString('base64');
  return `version: v1alpha1
machine:
  type: controlplane
  ca: {crt: ${crt}, key: ${ca.key.bytes.toString('base64')}}
${sections}${documents === '' ? '' : `---\n${documents}`}`;
}
