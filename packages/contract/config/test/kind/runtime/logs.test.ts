import { tableOf } from '../table.ts';

tableOf('KmsgLogConfig', {
  reads: [['name: a\nurl: tcp://b:514\n', { name: 'a', url: new URL('tcp://b:514') }]],
  accepts: ['name: a\nurl: udp://[fd00::1]:514/\n'],
  refuses: [
    ['name: a\nurl: §https://b:514\n', 'url.invalid', 'url'],
    ['name: a\nurl: §tcp://b\n', 'url.port', 'url'],
    ['name: a\nurl: §tcp://b:514/x\n', 'url.port', 'url'],
    ['url: tcp://b:514\n', 'required', 'name'],
  ],
});

tableOf('EventSinkConfig', {
  reads: [
    ['endpoint: a:1\n', { endpoint: { text: 'a:1', host: 'a', port: 1, tls: false } }],
    [
      'endpoint: "grpcs://[::1]:8443"\n',
      { endpoint: { text: 'grpcs://[::1]:8443', host: '::1', port: 8443, tls: true } },
    ],
  ],
  refuses: [
    ['endpoint: §a\n', 'endpoint.invalid', 'endpoint'],
    ['endpoint: §https://a:1\n', 'endpoint.invalid', 'endpoint'],
    ['endpoint: §a:99999\n', 'endpoint.invalid', 'endpoint'],
  ],
});
