import { tableOf } from '../table.ts';

const bytes = Buffer.alloc(32, 0xfb);
const [standard, urlSafe] = [bytes.toString('base64'), bytes.toString('base64url')];

tableOf('DiscoveryServiceConfig', {
  accepts: [
    'name: default\nendpoint: https://a\n',
    'name: b\nendpoint: grpc://a:3000\n',
    'name: c\nendpoint: http://10.0.0.1\n',
  ],
  refuses: [
    ['name: a\nendpoint: §https://a/path\n', 'url.path', 'endpoint'],
    ['name: a\nendpoint: §a:443\n', 'url.invalid', 'endpoint'],
    ['name: a\n', 'required', 'endpoint'],
  ],
});

tableOf('DiscoveryIdentityConfig', {
  reads: [[`clusterID: ${urlSafe}=\nclusterSecret: ${standard}\n`, { clusterID: `${urlSafe}=` }]],
  accepts: [`clusterID: ${standard}\nclusterSecret: ${standard}\n`],
  refuses: [
    [`clusterID: §short\nclusterSecret: ${standard}\n`, 'discovery.id', 'clusterID'],
    [`clusterID: ${standard}\nclusterSecret: §${urlSafe}=\n`, 'discovery.secret', 'clusterSecret'],
    [`clusterID: ${standard}\n`, 'required', 'clusterSecret'],
  ],
});

tableOf('SecurityProfileConfig', {
  reads: [
    ['workloadIsolation: true\n', { workloadIsolation: true }],
    ['', { workloadIsolation: false }],
  ],
  refuses: [['workloadIsolation: §1\n', 'wrong_type', 'workloadIsolation']],
});
