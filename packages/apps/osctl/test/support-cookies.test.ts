import test from 'ava';

import { redactText } from '../src/support/redact.ts';
import { isLinear } from './linear.ts';

/** What is printed, and what is left of it. */
const forms: readonly (readonly [text: string, redacted: string])[] = [
  // headers on lines of their own
  ['Cookie: a=b; c=d\nHost: x', 'Cookie: [redacted]\nHost: x'],
  ['SET-COOKIE: sid=abc; HttpOnly\r\nX: y', 'SET-COOKIE: [redacted]\r\nX: y'],
  [
    '< Set-Cookie: sid=abc; Expires=Wed, 21 Oct 2015 07:28:00 GMT\n< X: y',
    '< Set-Cookie: [redacted]\n< X: y',
  ],
  ['Cookie: p={"t":"x","u":"y"}; sid="a b", c', 'Cookie: [redacted]'],
  ['Cookie: flag; sid=abc', 'Cookie: [redacted]'],
  // headers in a text
  ['answer Cookie: a=b; c=d, Host: x', 'answer Cookie: [redacted], Host: x'],
  ['map[Cookie:[a=b; c=d] Host:[x]]', 'map[Cookie:[redacted] Host:[x]]'],
  ['{cookie=[a=b; c=d], host=[x]}', '{cookie=[[redacted]], host=[x]}'],
  [
    String.raw`"GET / HTTP/1.1\r\nCookie: a=b; c=d\r\nHost: x"`,
    String.raw`"GET / HTTP/1.1\r\nCookie: [redacted]\r\nHost: x"`,
  ],
  // JSON, and JSON in JSON
  ['{"cookie":"a=b","line":1}', '{"cookie":"[redacted]","line":1}'],
  ['{"Set-Cookie": ["a=b; Path=/", "c=d"], "x": 1}', '{"Set-Cookie": ["[redacted]"], "x": 1}'],
  ['"set-cookie": [\n  "a=b",\n  "c=d"\n],\n"x": 1', '"set-cookie": ["[redacted]"],\n"x": 1'],
  ['{"name":"Cookie","value":"a=b; c=d"}', '{"name":"Cookie","value":"[redacted]"}'],
  ["[ 'Cookie', 'a=b; c=d', 'Host', 'x' ]", "[ 'Cookie', '[redacted]', 'Host', 'x' ]"],
  [
    String.raw`{"m":"{\"cookie\":\"a=b; c=d\",\"x\":1}"}`,
    String.raw`{"m":"{\"cookie\":\"[redacted]\",\"x\":1}"}`,
  ],
  [String.raw`{"msg":"Cookie: a=\"x y\"; c=d","line":1}`, '{"msg":"Cookie: [redacted]","line":1}'],
  [String.raw`{"msg":"got Cookie: p={\"t\":\"x\"}; c=d","y":1}`, '{"msg":"got Cookie: [redacted]","y":1}'],
  // command lines, environments, settings
  ['curl -H "Cookie: a=b; c=d" https://x -v', 'curl -H "Cookie: [redacted]" https://x -v'],
  ['curl -H \'Cookie: a="x y"; c=d\' https://x', "curl -H 'Cookie: [redacted]' https://x"],
  ['curl -H "Cookie: a="x y"; c=d" https://x', 'curl -H "Cookie: [redacted]" https://x'],
  ["curl --cookie 'a=b; c=d' https://x", "curl --cookie '[redacted]' https://x"],
  ["curl -sb 'a=b; c=d' https://x", "curl -sb '[redacted]' https://x"],
  ['cookie=a=b; c=d status=200', 'cookie=[redacted] status=200'],
  ['cookie="a=b; c=d" status=200', 'cookie="[redacted]" status=200'],
  ['HTTP_COOKIE=a=b; c=d', 'HTTP_COOKIE=[redacted]'],
  ['RABBITMQ_ERLANG_COOKIE=XWAYFQ3K', 'RABBITMQ_ERLANG_COOKIE=[redacted]'],
  // one that is not closed hides no more than its line
  ['"Cookie: a=b; c=d\nnext', '"Cookie: [redacted]\nnext'],
];

test('cookies go with all of their header, however it is written, and what stands around it stays', (t) => {
  for (const [text, redacted] of forms) t.is(redactText(text), redacted, text);
});

test('what is only about cookies, numbers, and files of cookies stay', (t) => {
  for (const text of [
    'Vary: Cookie, Accept-Encoding',
    '"vary":"Cookie","x":"a=b"',
    '"allowed_headers":["Cookie","Content-Type"]',
    'TCP: Possible SYN flooding on port 80. Sending cookies.',
    'net.ipv4.tcp_syncookies = 1',
    'cookie=0x1f, duration=1s',
    'FS-Cache: O-cookie c=00000000 [p=1 fl=2]',
    'cookies: 3 sent',
    'cookie: missing',
    'cookie: true',
    'cookie_domain=example.org',
    '"cookieName":"sid"',
    'curl -b cookies.txt --cookie-jar jar.txt https://x',
  ])
    t.is(redactText(text), text);
});

test('the time to look for cookies grows with the text, and not with its square', (t) => {
  for (const piece of [
    'cookie',
    'cookie=',
    'cookie: a=b; ',
    'cookie: a=b"',
    'cookie="a=',
    '"cookie: a=" ',
    '"cookie: a=b; -b="a',
    'cookie: [',
    'cookie: a="b',
    'cookie=((((',
    "'cookie', '",
  ])
    isLinear(t, piece, redactText);
});
