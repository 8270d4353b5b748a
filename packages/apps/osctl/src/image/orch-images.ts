import { print, printFound, readFormat, type Terminal, UsageError } from '@nodecore/cli';

import { orchImage } from '../gen/orch-defaults.ts';

export type OrchImagesFlags = {
  readonly orchVersion: string;
  readonly kvstoreVersion: string;
  readonly flannelVersion: string;
  readonly corednsVersion: string;
  readonly kubeNetworkPoliciesVersion: string;
  readonly pauseVersion: string;
  readonly output: string;
};

/** The images that a cluster begins with: of its network, its names, its state, its pods and its orchestrator. */
export function orchImages(flags: Omit<OrchImagesFlags, 'output'>): readonly string[] {
  const { orchVersion } = flags;
  for (const version of Object.values(flags))
    if (!/^\w[\w.-]{0,127}$/u.test(version))
      throw new UsageError(`"${version}" is no version: it would be no tag of an image`);
  if (!/^v\d/u.test(orchVersion))
    throw new UsageError(
      `the version of the orchestrator begins with v, as v1.35.0: "${orchVersion}" does not`,
    );
  return [
    `ghcr.io/flannel-io/flannel:${flags.flannelVersion}`,
    orchImage('coredns/coredns', flags.corednsVersion),
    orchImage('etcd', flags.kvstoreVersion),
    orchImage('pause', flags.pauseVersion),
    ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'].map(
      (program) => orchImage(program, orchVersion),
    ),
    orchImage('networking/kube-network-policies', flags.kubeNetworkPoliciesVersion),
  ];
}

/** Prints them, a line each: what `image cache-create --images -` reads. */
export async function listOrchImages(flags: OrchImagesFlags, terminal: Terminal): Promise<void> {
  const { output, ...versions } = flags;
  const format = await readFormat(output);
  const images = orchImages(versions);
  if (format.kind === 'table') await print(terminal.out, images.map((image) => `${image}\n`).join(''));
  else
    await printFound(
      terminal,
      format,
      images.map((image) => ({ image })),
      { single: false, text: () => '' },
    );
}
