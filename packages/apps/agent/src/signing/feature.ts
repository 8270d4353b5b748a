import type { Configuration } from '@nodecore/config';
import { Signal } from '@nodecore/waiting';

import { api } from '../api/feature.ts';
import { issuingAuthority } from '../certificates/node-certificate.ts';
import { certificateNames } from '../certificates/node-names.ts';
import { kvstoreMembers } from '../kvstore/kvstore-definitions.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { controlPlaneNames, kvstoreAddresses } from './control-plane-names.ts';
import { defaultSignerPort } from './default-port.ts';
import { signedNodes, signerStatuses } from './definitions.ts';
import { leastTokenBytes } from './proof.ts';
import { SignedNodes } from './signed-nodes.ts';
import { signedNodesController } from './signed-nodes-controller.ts';
import { Signer, type SigningAuthority } from './signer.ts';
import { signingController } from './signing-controller.ts';
import { SigningServer } from './signing-server.ts';

/** Control planes sign the certificates of workers. */
export const signing: Feature<Signer> = feature({
  name: 'signing',
  needs: { node, api, persistence },
  reads: [kvstoreMembers],
  writes: [signerStatuses, signedNodes],
  make: ({ node: { options, log, clock, store }, api: { audit }, persistence: state }) => {
    let active: Configuration | undefined;
    const changed = new Signal();
    const authority = (): SigningAuthority | string | undefined => signingAuthority(active);
    const signed = new SignedNodes({ locate: () => state.path('signed-nodes.json'), clock, log });
    const signer = new Signer({
      clock,
      signed,
      authority: () => {
        const now = authority();
        return typeof now === 'string' ? undefined : now;
      },
      controlPlanes: async () => {
        const endpoint = active?.get('OrchClusterConfig')?.endpoint.href ?? active?.machine?.cluster.endpoint;
        return await controlPlaneNames(certificateNames(active?.machine ?? { certSANs: [] }), endpoint);
      },
      signers: () => kvstoreAddresses(store.get({ ...kindOf(kvstoreMembers), id: 'local' })?.spec),
    });
    const address = (): { readonly host: string; readonly port: number } => ({
      host: options.listen.host,
      port: options.signerPort ?? defaultSignerPort,
    });
    return {
      handle: signer,
      controllers: [
        signingController({
          authority,
          address,
          open: () => new SigningServer({ log, clock, audit, signer }),
          changed,
        }),
        signedNodesController(signed, () => active !== undefined),
      ],
      configure: ({ configuration }) => {
        active = configuration;
        changed.notify();
        signed.changed.notify();
      },
    };
  },
});

/** What a configuration has its control plane sign with; a text says what it lacks; undefined of a worker. */
function signingAuthority(configuration: Configuration | undefined): SigningAuthority | string | undefined {
  const { machine } = configuration ?? {};
  const ca = machine === undefined ? undefined : issuingAuthority(machine);
  if (ca === undefined) return undefined;
  const { token } = machine ?? {};
  if (token === undefined || token.sizeBytes < leastTokenBytes)
    return `machine.token is missing or shorter than ${leastTokenBytes} bytes: no certificates of workers are signed`;
  return { ca, token };
}
