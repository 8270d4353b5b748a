import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';

/** A closed object with these properties. */
function shape(properties: Record<string, AnySchema>, required: readonly string[]): AnySchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

const text = { type: 'string', minLength: 1 };
/** RFC 3986, 4.1: no blanks, and every other character that has no meaning is in its hexadecimal form. */
const uri = { type: 'string', pattern: "^(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-F]{2})+$" };
const counted = { type: 'integer', minimum: 1 };
const artifactLocation = shape({ uri }, ['uri']);

/*
 * What the standard (SARIF 2.1.0, sections 3.13 to 3.30) demands of the properties that we write; none besides them is ours.
 */
const result = shape(
  {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: -1 },
    level: { enum: ['none', 'note', 'warning', 'error'] },
    message: shape({ text }, ['text']),
    locations: {
      type: 'array',
      items: shape(
        {
          physicalLocation: shape(
            { artifactLocation, region: shape({ startLine: counted, startColumn: counted }, ['startLine']) },
            ['artifactLocation'],
          ),
          logicalLocations: {
            type: 'array',
            uniqueItems: true,
            items: shape({ fullyQualifiedName: text }, []),
          },
        },
        [],
      ),
    },
  },
  ['message'],
);

const driver = shape(
  {
    name: text,
    version: text,
    rules: { type: 'array', uniqueItems: true, items: shape({ id: text }, ['id']) },
  },
  ['name'],
);

const run = shape(
  {
    tool: shape({ driver }, ['driver']),
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    artifacts: { type: 'array', uniqueItems: true, items: shape({ location: artifactLocation }, []) },
    results: { type: 'array', items: result },
  },
  ['tool'],
);

const validate = new Ajv2020({ allErrors: true }).compile(
  shape({ $schema: uri, version: { const: '2.1.0' }, runs: { type: 'array', items: run } }, [
    'version',
    'runs',
  ]),
);

type Log = {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules?: readonly { readonly id: string }[] } };
    readonly results?: readonly { readonly ruleId?: string; readonly ruleIndex?: number }[];
  }[];
};

/** What is not as SARIF 2.1.0 demands it, the index of each rule included. */
export function sarifProblems(log: unknown): readonly string[] {
  if (!validate(log))
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return (log as Log).runs.flatMap(({ tool, results = [] }) =>
    results.flatMap(({ ruleId, ruleIndex }, index) =>
      ruleIndex !== undefined && tool.driver.rules?.[ruleIndex]?.id !== ruleId
        ? [`results/${index}/ruleIndex is not that of ${ruleId}`]
        : [],
    ),
  );
}
