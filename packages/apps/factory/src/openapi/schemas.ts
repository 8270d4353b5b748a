import { scopes } from '../tokens/scopes.ts';

/** A JSON Schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const scopeList: Schema = { type: 'array', uniqueItems: true, items: { $ref: '#/components/schemas/Scope' } };

/** Fields of an object, all of which it has unless they are named as optional. */
function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

const record: Readonly<Record<string, Schema>> = {
  id: { type: 'string', format: 'uuid' },
  name: text,
  subject: text,
  scopes: scopeList,
  issuable_scopes: scopeList,
  stored: { type: 'boolean' },
  created_at: time,
  expires_at: time,
};

/** What is asked and answered, by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  Scope: { type: 'string', enum: scopes },
  Versions: { type: 'array', items: { type: 'string', pattern: '^v' } },
  Addresses: { type: 'array', items: { type: 'string', format: 'uri' } },
  Extensions: {
    type: 'array',
    items: object({ name: text, ref: text, digest: text, author: text, description: text }),
  },
  Overlays: { type: 'array', items: object({ name: text, image: text, ref: text, digest: text }) },
  CreatedSchematic: object({
    id: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the canonical text' },
    schematic: { type: 'string', description: 'the canonical text' },
  }),
  SchematicList: object(
    {
      schematics: {
        type: 'array',
        maxItems: 50,
        items: object({
          id: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          schematic: { type: 'string', description: 'the canonical text' },
          created_at: time,
        }),
      },
      next: {
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
        description: '`after` of the next page; not there on the last one',
      },
    },
    ['next'],
  ),
  TokenRequest: object(
    {
      actor: { type: 'string', enum: ['node', 'automation', 'operator', 'admin'] },
      issuable_scopes: scopeList,
      name: { type: 'string', maxLength: 128 },
      scopes: scopeList,
      stored: { type: 'boolean', default: true },
      subject: { type: 'string', maxLength: 256 },
      ttl: { type: 'string', examples: ['720h'] },
    },
    ['actor', 'issuable_scopes', 'name', 'scopes', 'stored', 'subject', 'ttl'],
  ),
  TokenRecord: object({ ...record, last_used_at: time }, ['last_used_at']),
  IssuedToken: object({ token: text, ...record, org_id: text }),
  TokenList: object({ tokens: { type: 'array', items: { $ref: '#/components/schemas/TokenRecord' } } }),
  KeySet: object({ keys: { type: 'array', items: { type: 'object' } } }),
  /** RFC 9457. */
  Problem: object(
    {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      code: { type: 'string', pattern: '^ERR_', description: 'stable: programs compare it' },
      line: { type: 'integer' },
      column: { type: 'integer' },
      nearest: { type: 'array', items: text },
    },
    ['line', 'column', 'nearest'],
  ),
  RegistryErrors: object({
    errors: { type: 'array', items: object({ code: text, message: text, detail: {} }, ['detail']) },
  }),
};
