import { type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Composer, LineCounter, parseAllDocuments, Parser } from 'yaml';

import { jsonSchema, parse, type Kind } from '@nodecore/config';

import { ask, type Bench } from './question.ts';

/** Ninety documents of four kinds, about 30 KB, without an expression to compile or a key to derive: these have costs of their own. */
const text = Array.from({ length: 90 }, (_, index) => document(index)).join('---\n');

function head(kind: string): string {
  return `apiVersion: v1alpha1\nkind: ${kind}\n`;
}

function document(index: number): string {
  const line = `    this is line ${index} of a file that a program of the node reads\n`;
  switch (index % 4) {
    case 0:
      return `${head('EtcFileConfig')}name: app/file-${index}\nmode: 0o600\ncontents: |\n${line.repeat(4)}`;
    case 1:
      return `${head('NetworkRuleConfig')}name: rule-${index}
portSelector:
  ports: [80, 443, "${8000 + index * 10}-${8005 + index * 10}"]
  protocol: tcp
ingress:
  - {subnet: 10.0.0.0/8, except: 10.${index}.0.0/16}
  - subnet: 192.168.${index}.0/24
  - subnet: fd00:${index}::/64
`;
    case 2:
      return `${head('TCPProbeConfig')}name: probe-${index}
endpoint: "10.0.${index}.1:443"
interval: 5s
failureThreshold: 3
timeout: 10s # what the slowest of them takes
`;
    default:
      return `${head('DummyLinkConfig')}name: dummy${index}
up: true
mtu: 1400
addresses:
  - address: 10.${index}.0.1/24
  - {address: "fd00:${index}::1/64", routePriority: 100}
routes:
  - {destination: 10.${index}.128.0/17, gateway: 10.${index}.0.254, metric: 2048}
  - {destination: 172.16.${index}.0/24, gateway: 10.${index}.0.253} # the old office
`;
  }
}

/** The YAML tree alone, with what a finding needs for its line and column. */
function compose(): number {
  const lines = new LineCounter();
  const composer = new Composer({ uniqueKeys: false });
  const tokens = new Parser(lines.addNewLine).parse(text);
  return [...composer.compose(tokens, false, text.length)].length;
}

const kinds: readonly Kind[] = ['EtcFileConfig', 'NetworkRuleConfig', 'TCPProbeConfig', 'DummyLinkConfig'];

/** What many programs do: plain values against a JSON Schema, compiled before; a finding has no line, and two fields have no rule. */
function validator(): () => number {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const valid = new Map<string, (value: unknown) => unknown>(
    kinds.map((kind) => [kind, ajv.compile(jsonSchema(kind) as AnySchemaObject)]),
  );
  return () =>
    parseAllDocuments(text).filter((one) => {
      const value = one.toJS() as { readonly kind: string };
      return valid.get(value.kind)?.(value) === true;
    }).length;
}

function read(): number {
  using configuration = parse(text);
  return configuration.documents.length;
}

/** Milliseconds of one of twenty. */
function timed(run: () => number): number {
  const startMs = performance.now();
  for (let round = 0; round < 20; round += 1) run();
  return (performance.now() - startMs) / 20;
}

export const bench: Bench = {
  prepare: async () => {
    const validate = validator();
    for (const run of [compose, read, validate]) timed(run);
    const ours = { name: 'config.parse', run: async () => read(), sample: async () => timed(read) };
    return [
      ask({
        name: 'config-parse',
        question: 'What do ninety documents of 30 KB cost to read and check, beside the YAML tree alone?',
        gate: 1.15,
        rounds: 31,
        ours,
        peer: { name: 'yaml.compose', run: async () => compose(), sample: async () => timed(compose) },
      }),
      ask({
        name: 'config-parse-ajv',
        question: 'What do they cost beside plain values that ajv checks, without line and column?',
        gate: 1.3,
        rounds: 31,
        ours,
        peer: { name: 'yaml + ajv', run: async () => validate(), sample: async () => timed(validate) },
      }),
    ];
  },
};
