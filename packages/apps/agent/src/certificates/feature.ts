import { keys } from '../keys/feature.ts';
import { node } from '../node.ts';
import { api } from '../api/feature.ts';
import { persistence } from '../persistence/feature.ts';
import { defaultSignerPort } from '../signing/default-port.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { volumes } from '../volumes/feature.ts';
import { Certificates, certificatesController } from './certificates.ts';
import { certificateStatuses } from './definitions.ts';
import { CertificateFile } from './kept-certificate.ts';
import { requestCertificate } from './request-certificate.ts';

/** The certificates that the node shows, to clients and to key servers. */
export const certificates: Feature<undefined> = feature({
  name: 'certificates',
  needs: { node, api, keys, persistence, volumes },
  writes: [certificateStatuses],
  make: ({
    node: { clock, log, options },
    api: { server },
    keys: { identity },
    persistence: state,
    ...needs
  }) => {
    const kept = new Certificates({
      server,
      identity,
      machineUuid: () => needs.volumes.machineUuid,
      clock,
      log,
      file: new CertificateFile({ locate: () => state.path('certificate.pem'), log }),
      request: requestCertificate,
      port: options.signerPort ?? defaultSignerPort,
    });
    return {
      handle: undefined,
      controllers: [certificatesController(kept)],
      prepare: ({ configuration }) => kept.use(configuration),
      dispose: () => kept[Symbol.dispose](),
    };
  },
});
