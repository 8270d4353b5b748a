import { isIPv4 } from 'node:net';

import type { ExposedPort } from './parts.ts';

const form = '[IP:]HOST:CONTAINER/tcp';

/** Ports such as `8080:80/tcp` or `127.0.0.1:8080:80/tcp`. @param hostIp where those listen that name no address */
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
    else if (protocol === 'udp') found('the doors of a cluster carry TCP alone');
    else if (protocol !== 'tcp') found(`protocol ${protocol} is none of tcp`);
    else if (![hostPort, port].every((one) => Number(one) >= 1 && Number(one) <= 65_535))
      found('ports are 1 to 65535');
    else if (!isIPv4(address)) found(`${address} is no IPv4 address`);
    else if (ports.some((one) => one.hostPort === Number(hostPort) && overlap(one.address, address)))
      found(`port ${hostPort} is exposed twice`);
    else ports.push({ address, hostPort: Number(hostPort), port: Number(port) });
  }
  return ports;
}

function overlap(one: string, other: string): boolean {
  return one === other || one === '0.0.0.0' || other === '0.0.0.0';
}
