import { isIP } from 'node:net';
import { connect } from 'node:tls';

import { certificatePin, chainHasPin, FleetApiError, parseFleetCa, peerChain } from '@nodecore/fleet-api';
import { onAbort } from '@nodecore/waiting';

const timeoutMs = 10_000;

/**
 * The certificate with this pin, PEM, from the chain that the fleet manager shows. Nothing is sent to it.
 *
 * @throws {FleetApiError} `ERR_FLEET_CERTIFICATE` when the chain does not lead there.
 */
export async function fetchAuthority(url: URL, fleetca: string, signal: AbortSignal): Promise<string> {
  const pin = parseFleetCa(fleetca);
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
  const port = url.port === '' ? 443 : Number(url.port);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({
    host,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false, // the pin is the check
  });
  socket.once('secureConnect', resolve).once('error', reject);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  using _listener = onAbort(limit, () => reject(limit.reason as Error));
  try {
    await promise;
    const chain = peerChain(socket.getPeerX509Certificate());
    const found = chainHasPin(chain, pin) ? chain.find((each) => certificatePin(each) === pin) : undefined;
    if (found === undefined)
      throw new FleetApiError(
        'ERR_FLEET_CERTIFICATE',
        `${url.host}: its certificate is not the one that --fleetca names; is this the fleet that you mean?`,
      );
    return found.toString();
  } finally {
    socket.destroy();
  }
}
