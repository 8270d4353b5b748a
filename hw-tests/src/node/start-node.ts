import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect } from '@nodecore/api';
import { codeOf, identityOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { checkout } from '../paths.ts';
import { isAdministrated, type NodeSecrets } from './credentials.ts';
import { firstConfiguration } from './first-configuration.ts';
import { requireFreePort } from './free-port.js';
import { followRecord, removeRecord, writeRecord } from './record.ts';
import type { ServingNode } from './serving-node.ts';
import type { StartOptions } from './start-options.ts';
import type { SupervisorOptions } from './supervisor.ts';

/** Starts the supervisor of an agent on this host, which outlives this process. */
export async function startSupervisor({ directory, port, inspectPort }: StartOptions): Promise<void> {
  await requireFreePort(port);
  if (inspectPort !== undefined) await requireFreePort(inspectPort);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeRecord(directory); // of a run before, or of another node when the directory is a copy
  const log = await open(join(directory, 'supervisor.log'), 'w', 0o600);
  try {
    const program = join(checkout, 'hw-tests', 'src', 'commands', 'supervise.ts');
    const its: SupervisorOptions = { directory, port, ...(inspectPort !== undefined && { inspectPort }) };
    const child = spawn(process.execPath, ['--conditions=source', program, JSON.stringify(its)], {
      cwd: checkout,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    const supervisor = identityOf(child.pid ?? 0);
    // Its own first record is the same; until then nobody must take an older one for this node's.
    if (supervisor !== undefined) await writeRecord({ ...its, supervisor, phase: 'booting' });
    child.unref();
  } finally {
    await log.close();
  }
}

/** Waits until the agent on this host serves: in maintenance, or with its configuration. */
export async function untilHostServes(
  { name, directory }: StartOptions,
  signal: AbortSignal,
): Promise<ServingNode> {
  for await (const { phase, ...record } of followRecord(directory, signal)) {
    if (phase === 'maintenance' || phase === 'configured') return { ...record, phase };
    if (phase === 'failed') throw new Error(`${record.error}`);
  }
  throw new Error(`${name} ended: see ${join(directory, 'supervisor.log')}`);
}

/**
 * Gives a node in maintenance its first configuration: the root document and the volume documents. Resolves when it is
 * active.
 *
 * A lost connection says nothing about the configuration, and the node goes on without it: whether it takes its administrator
 * decides whether to send it again.
 */
export async function configure(
  options: StartOptions,
  node: ServingNode,
  secrets: NodeSecrets,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [controlplane, ...documents] = await Promise.all([
    readFile(secrets.controlplane),
    ...options.documents.map((file) => readFile(file)),
  ]);
  const data = firstConfiguration(controlplane, documents);
  for (;;) {
    try {
      return await apply(node, data, signal);
    } catch (error) {
      const passing = codeOf(error) === 'ERR_API_UNREACHABLE' || codeOf(error) === 'ERR_API_ABORTED';
      await systemClock.sleep(1_000, signal);
      if (await isAdministrated(options.name, secrets, node.port, signal)) return [];
      if (!passing) throw error;
    }
  }
}

/** The certificate must be the one whose fingerprint the agent itself has told, not over the network. */
async function apply(
  { port, fingerprint }: ServingNode,
  data: Buffer,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (fingerprint === undefined) throw new TypeError('a node in maintenance has a fingerprint');
  const endpoint = `127.0.0.1:${port}`;
  await using client = connect({ endpoint, insecure: true, fingerprints: [fingerprint] });
  // STATE is made, encrypted and mounted before the answer.
  const { warnings } = await client.applyConfiguration({ data }, { timeoutMs: 180_000, signal });
  return warnings;
}
