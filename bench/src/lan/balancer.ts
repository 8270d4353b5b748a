/** The balancer of a network as a process of its own: `balancer.ts TARGETPORT…` says the port that it listens at. */
import { type AddressInfo, createServer } from 'node:net';

import { Balancer } from '@nodecore/lan';

const address = '127.0.0.1';
const server = createServer();
new Balancer(process.argv.slice(2).map((port) => ({ address, port: Number(port) }))).serve(server);
server.listen(0, address, () => process.send?.((server.address() as AddressInfo).port));
