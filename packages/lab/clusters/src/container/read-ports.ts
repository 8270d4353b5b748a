import { isIPv4 } from 'node:net';

import type { ExposedPort } from './parts.ts';

const form = '[IP:]HOST:CONTAINER/tcp or udp';

/** Ports such as `8080:80/tcp` or `127.0.0.1:5353:53/udp`. @param hostIp where those listen that name no address */
export function readPorts(
  texts: readonly string[],
  hostIp: string,
  problems: string[],
): readonly ExposedPort[] {
  const ports: ExposedPort[] = [];
  for (const text of texts) {
    const match = /^(?:([\d.]+):)?(\d{1,5}):(\d{1,5})\/([a-z]+)$/.exec(text);
    const found = (why: string): unknown => problems.push(`--exposed-ports ${text}: ${why}`);
    const [, address = hostIp, hostPort = '', port = '', protocol] = match ?? [];
    if (match === null) found(`incorrect format, ${form} expected`);
    else if (protocol !== 'tcp' && protocol !== 'udp') found(`protocol ${protocol} is none of tcp, udp`);
    else if (![hostPort, port].every((one) => Number(one) >= 1 && Number(one) <= 65_535))
      found('ports are 1 to 65535');
    else if (!isIPv4(address)) found(`${address} is no IPv4 address`);
    else {
      const asked: ExposedPort = {
        address,
        hostPort: Number(hostPort),
        port: Number(port),
        ...(protocol === 'udp' && { protocol }),
      };
      if (ports.some((one) => overlap(one, asked))) found(`port ${hostPort} is exposed twice`);
      else ports.push(asked);
    }
  }
  return ports;
}

function overlap(one: ExposedPort, other: ExposedPort): boolean {
  if (one.protocol !== other.protocol || one.hostPort !== other.hostPort) return false;
  return one.address === other.address || [one, other].some(({ address }) => address === '0.0.0.0');
}
