import { document } from '../../document.ts';
import { text } from '../../field/text.ts';
import { required } from '../../field/type.ts';
import { hostPort } from '../../type/endpoint.ts';
import { url } from '../../type/url.ts';
import { probeFields } from './probe-block.ts';

const name = required('a word for it', text({ longest: 253 }));

/** `TCPProbeConfig`: whether something accepts connections. */
export const tcpProbe = document('TCPProbeConfig', 'whether something accepts connections', () => ({
  takesEffect: 'live',
  fields: { name, endpoint: required('what is connected to', hostPort), ...probeFields },
  example: 'name: gateway\nendpoint: 10.0.0.1:443\ninterval: 5s\n',
}));

/** `HTTPProbeConfig`: whether a web server answers. */
export const httpProbe = document(
  'HTTPProbeConfig',
  'whether a web server answers with a status of 200 to 399',
  () => ({
    takesEffect: 'live',
    fields: {
      name,
      url: required('what is asked for; redirects are not followed', url(['https', 'http'])),
      ...probeFields,
    },
    example: 'name: registry\nurl: https://registry.example/v2/\ninterval: 30s\nfailureThreshold: 3\n',
  }),
);
