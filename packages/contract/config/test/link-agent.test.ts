import test from 'ava';

import { parse, redact } from '@nodecore/config';
import { problemsOf } from './fixtures/problems.ts';

const url = 'https://fleet.example:8443/?jointoken=open-sesame&fleetca=sha256:00';
const document = (apiUrl: string): string =>
  `apiVersion: v1alpha1\nkind: LinkAgentConfig\napiUrl: ${apiUrl}\n`;

test('a document says which fleet manager the node dials', (t) => {
  using configuration = parse(document(url));
  t.is(configuration.get('LinkAgentConfig')?.apiUrl.bytes.toString(), url);
  using none = parse('apiVersion: v1alpha1\nkind: FilesystemTrimConfig\n');
  t.is(none.get('LinkAgentConfig'), undefined);
});

test('the token is in no problem and not in what is shown', (t) => {
  t.notRegex(redact(document(url)), /sesame/u);
  for (const [wrong, code] of [
    ['http://fleet.example/?jointoken=open-sesame', 'link.url'],
    ['open-sesame', 'link.url'],
    ['https://fleet.example/?token=open-sesame', 'link.token'],
    ['https://fleet.example/?jointoken=', 'link.token'],
  ] as const) {
    const problems = problemsOf(document(wrong));
    t.is(problems[0]?.code, code);
    t.notRegex(JSON.stringify(problems), /sesame/u);
  }
});
