import test from 'ava';

import {
  chronyConfiguration,
  type ChronyPlaces,
  parseClockSources,
  parseTracking,
  type TimeSources,
} from '../src/index.ts';

const places: ChronyPlaces = { directory: '/run/chrony', authorities: '/run/time/authorities.pem' };
const sources = (change: Partial<TimeSources>): TimeSources => ({
  servers: [],
  isAuthenticated: false,
  clocks: [],
  ...change,
});

test('servers, and clocks of the machine, are a line each; nobody is served', (t) => {
  const named = chronyConfiguration(sources({ servers: ['a.example', '2001:db8::1'] }), places).split('\n');
  t.deepEqual(named.slice(0, 2), ['server a.example iburst', 'server 2001:db8::1 iburst']);
  t.true(named.includes('port 0') && named.includes('cmdport 0'));
  const secured = chronyConfiguration(sources({ servers: ['a.example'], isAuthenticated: true }), places);
  t.true(secured.startsWith('server a.example iburst nts\n'));
  t.true(secured.includes('ntstrustedcerts /run/time/authorities.pem\n'));
  t.true(
    chronyConfiguration(sources({ clocks: ['/dev/ptp0'] }), places).startsWith('refclock PHC /dev/ptp0 '),
  );
});

test('no value becomes a second word or a second line', (t) => {
  const hostile = [
    'a b',
    'a\nallow',
    'a\rallow',
    'a#',
    '-a',
    '',
    '!a',
    'a;b',
    'a"b',
    '10.0.0.1 prefer',
    'a\0',
  ];
  for (const word of hostile) {
    const error = { code: 'ERR_HOST_VALUE' };
    t.throws(() => chronyConfiguration(sources({ servers: [word] }), places), error, word);
    t.throws(() => chronyConfiguration(sources({ clocks: [`/dev/${word} `] }), places), error, word);
    t.throws(() => chronyConfiguration(sources({}), { ...places, directory: `/${word} ` }), error, word);
  }
});

test('what chronyc says of the clock is read, and what is none of it is nothing', (t) => {
  const line =
    '7F000001,127.0.0.1,2,1795411096.055061387,-0.000002290,0.000000466,0.000000466,0.025,0.114,1.856,0.000009026,0.000007301,2.0,Normal\n';
  t.deepEqual(parseTracking(line), {
    source: '127.0.0.1',
    stratum: 2,
    offsetSeconds: 0.00000229, // chronyc's own words for it: fast of NTP time
    frequencyPpm: 0.025,
  });
  const lost = '00000000,,0,0.000000000,-0.000000020,0.0,0.0,0.020,0.000,0.000,1.0,1.0,0.0,Not synchronised';
  t.is(parseTracking(lost)?.source, undefined);
  for (const text of ['', 'Could not open connection to daemon', line.replace('-0.000002290', 'x')])
    t.is(parseTracking(text), undefined);
});

test('each source has a state, and how many questions it answered', (t) => {
  const text = '^,*,10.0.0.1,1,6,377,2,0.1,0.1,0.1\n^,?,b.example,0,6,0,-,0.0,0.0,4.0\n501 Not authorised\n';
  t.deepEqual(parseClockSources(text), [
    { name: '10.0.0.1', state: 'followed', stratum: 1, reach: 255 },
    { name: 'b.example', state: 'unreachable', stratum: 0, reach: 0 },
  ]);
});
