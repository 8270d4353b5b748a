import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

import { tableOf } from '../table.ts';

const bytes = (seed: string): Buffer => createHash('sha256').update(seed).digest();
const privateKey = bytes('this end').toString('base64');
const other = (seed: string): string => bytes(seed).toString('base64');
const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), bytes('this end')]);
const own = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  .export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('base64');
const head = `name: wg0\nprivateKey: ${privateKey}\n`;

tableOf('WireguardConfig', {
  accepts: [
    head,
    `${head}listenPort: 0\nfirewallMark: 4294967295\npeers: [{publicKey: ${other('a')}, endpoint: "[fd00::1]:51820", persistentKeepaliveInterval: 25s, allowedIPs: [10.0.0.0/8, "fd00::/8"]}]\n`,
    `${head}peers: [{publicKey: ${other('a')}, presharedKey: ${other('b')}, persistentKeepaliveInterval: 0}]\n`,
    `${head}peers: [{publicKey: ${other('a')}, allowedIPs: [10.0.0.0/8]}, {publicKey: ${other('b')}, allowedIPs: [10.1.0.0/16]}]\n`,
  ],
  refuses: [
    ['name: wg0\n', 'required', 'privateKey'],
    ['name: wg0\nprivateKey: §short\n', 'wireguard.key', 'privateKey'],
    [`name: wg0\nprivateKey: §${privateKey.slice(0, -2)}B=\n`, 'wireguard.key', 'privateKey'],
    [`${head}listenPort: §65536\n`, 'number.range', 'listenPort'],
    [`${head}peers: [§{}]\n`, 'required', 'peers[0].publicKey'],
    [`${head}peers: [{publicKey: §a}]\n`, 'wireguard.key', 'peers[0].publicKey'],
    [`${head}peers: [{publicKey: §${own}}]\n`, 'wireguard.itself', 'peers[0].publicKey'],
    [
      `${head}peers: [{publicKey: ${other('a')}}, {publicKey: §${other('a')}}]\n`,
      'list.duplicate',
      'peers[1].publicKey',
    ],
    [
      `${head}peers: [{publicKey: ${other('a')}, endpoint: §host:1}]\n`,
      'endpoint.address',
      'peers[0].endpoint',
    ],
    [
      `${head}peers: [{publicKey: ${other('a')}, persistentKeepaliveInterval: §1500ms}]\n`,
      'duration.whole',
      'peers[0].persistentKeepaliveInterval',
    ],
    [
      `${head}peers: [{publicKey: ${other('a')}, persistentKeepaliveInterval: §-1s}]\n`,
      'duration.negative',
      'peers[0].persistentKeepaliveInterval',
    ],
    [
      `${head}peers: [{publicKey: ${other('a')}, allowedIPs: [§10.0.0.1/8]}]\n`,
      'prefix.host_bits',
      'peers[0].allowedIPs[0]',
    ],
    [
      `${head}peers: [{publicKey: ${other('a')}, allowedIPs: [10.0.0.0/8]}, {publicKey: ${other('b')}, allowedIPs: [§10.0.0.0/8]}]\n`,
      'wireguard.allowed_ip',
      'peers[1].allowedIPs[0]',
    ],
  ],
});
