import { readNamedText, UsageError } from '@nodecore/cli';
import { type ClusterPlan, urlHost } from '@nodecore/clusters';
import { stringify } from 'yaml';

const flag = '--fleet-api-endpoint';

/** The URL of the flag, which is a secret: `@<file>` keeps it from those who list processes. */
export async function fleetUrlOf(text: string | undefined): Promise<string | undefined> {
  return text?.startsWith('@') === true ? (await readNamedText(text.slice(1), flag)).trim() : text;
}

/** Machines of a fleet have no configuration that a patch could be of. @throws {UsageError} */
export function refusePatches(patches: readonly string[]): void {
  if (patches.length > 0)
    throw new UsageError(`--config-patch…: not with ${flag}, whose machines get no configuration of ours`);
}

/**
 * The document by which the nodes of a cluster dial a fleet manager. One that listens on this computer's loopback is reached at
 * the gateway. The join token is in the configuration alone: a kernel's command line is everybody's to read.
 *
 * @param url that was checked: with host and `jointoken`.
 */
export function linkDocument(url: string, { lan }: ClusterPlan): string {
  const apiUrl = new URL(url);
  const isHere = apiUrl.hostname === 'localhost' || apiUrl.hostname.startsWith('127.');
  if (isHere && lan !== undefined) apiUrl.hostname = urlHost(lan.gateway);
  return stringify(
    { apiVersion: 'v1alpha1', kind: 'LinkAgentConfig', apiUrl: apiUrl.href },
    { lineWidth: 0 },
  );
}
