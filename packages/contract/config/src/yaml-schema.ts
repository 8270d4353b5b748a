import { type ScalarTag, Schema } from 'yaml';

/** No value of YAML's core schema but a text begins so: neither null, a boolean nor a number. */
const text = /^(?:[^-+.~\dnNtTfF]|n[^u]|t[^r]|f[^a])/u;

const core = new Schema({ schema: 'core', resolveKnownTags: true });

const [string] = core.tags.filter(({ tag }) => tag === 'tag:yaml.org,2002:str');
const plainText = { ...string, test: text } as ScalarTag;

/**
 * YAML's core schema. The composer compares each plain value with the form of every type, and nearly all are texts: these are told
 * first. Make one for each text, as the composer adds the tags that it meets.
 */
export function coreSchema(): Schema {
  const schema = core.clone();
  schema.tags.unshift(plainText);
  return schema;
}
