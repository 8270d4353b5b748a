import type { Configuration, Problem } from '@nodecore/config';
import type { Secret } from '@nodecore/sys';

import { ApplyError } from '../configuration/errors.ts';
import { leastTokenBytes } from '../signing/proof.ts';

/** Where a worker has its certificates signed, and by what it is known there. The token is the configuration's. */
export type ControlPlane = { readonly host: string; readonly token: Secret };

/** @returns why the worker can't ask, in place of whom. */
export function controlPlaneOf(configuration: Configuration): ControlPlane | Problem {
  const { machine } = configuration;
  const endpoint = configuration.get('OrchClusterConfig')?.endpoint.href ?? machine?.cluster.endpoint;
  if (endpoint === undefined)
    return missing('cluster.controlPlane.endpoint', 'is missing: there a worker has its certificate signed');
  if (machine?.token === undefined || machine.token.sizeBytes < leastTokenBytes)
    return missing(
      'machine.token',
      `is missing or shorter than ${leastTokenBytes} bytes: by it a worker has its certificate signed`,
    );
  return { host: new URL(endpoint).hostname, token: machine.token };
}

function missing(path: string, message: string): Problem {
  return { code: 'required', document: 'machine', path, message, line: 0, column: 0 };
}

/** @throws {ApplyError} `ERR_APPLY_REFUSED` for a worker that could never get a certificate, or has the key of the cluster. */
export function checkWorker(configuration: Configuration): void {
  if (configuration.machine?.type !== 'worker') return;
  const key = configuration.warnings.find(({ code }) => code === 'machine.worker_key');
  const where = controlPlaneOf(configuration);
  const problem = key ?? ('token' in where ? undefined : where);
  if (problem !== undefined)
    throw new ApplyError('ERR_APPLY_REFUSED', `${problem.path} ${problem.message}`, [problem]);
}
