import { tableOf } from '../table.ts';

tableOf('TCPProbeConfig', {
  reads: [
    [
      'name: a\nendpoint: "[fd00::1]:443"\n',
      {
        endpoint: { text: '[fd00::1]:443', host: 'fd00::1', port: 443 },
        interval: { text: '1s', ms: 1000 },
        failureThreshold: 0,
        timeout: { text: '10s', ms: 10_000 },
      },
    ],
  ],
  refuses: [
    ['name: a\nendpoint: §a\n', 'endpoint.invalid', 'endpoint'],
    ['name: a\nendpoint: §"a:0"\n', 'endpoint.invalid', 'endpoint'],
    ['name: a\nendpoint: §"a:65536"\n', 'endpoint.invalid', 'endpoint'],
    ['name: a\nendpoint: §"fd00::1:443"\n', 'endpoint.invalid', 'endpoint'],
    ['name: a\nendpoint: §"[10.0.0.1]:1"\n', 'endpoint.invalid', 'endpoint'],
    ['name: a\nendpoint: a:1\ninterval: §99ms\n', 'duration.range', 'interval'],
    ['name: a\nendpoint: a:1\ntimeout: §61m\n', 'duration.range', 'timeout'],
    ['name: a\nendpoint: a:1\nfailureThreshold: §-1\n', 'number.range', 'failureThreshold'],
    ['name: a\nendpoint: a:1\nfailureThreshold: §1.5\n', 'wrong_type', 'failureThreshold'],
  ],
});

tableOf('HTTPProbeConfig', {
  reads: [['name: a\nurl: https://a/x\n', { url: new URL('https://a/x') }]],
  accepts: ['name: a\nurl: http://10.0.0.1:8080\n'],
  refuses: [
    ['name: a\nurl: §ftp://a\n', 'url.invalid', 'url'],
    ['name: a\nurl: §/x\n', 'url.invalid', 'url'],
    ['name: a\nurl: §"http://a/\\n"\n', 'url.invalid', 'url'],
  ],
});
