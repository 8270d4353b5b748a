import { type ScalarTag, Schema } from 'yaml';

/** No value of YAML's core schema but a text begins so: neither null, a boolean nor a number. */
const text = /^(?:[^-+.~\dnNtTfF]|n[^u]|t[^r]|f[^a])/u;

let core: Schema | undefined;

function coreWithText(): Schema {
  const schema = new Schema({ schema: 'core', resolveKnownTags: true });
  const [string] = schema.tags.filter(({ tag }) => tag === 'tag:yaml.org,2002:str');
  schema.tags.unshift({ ...string, test: text } as ScalarTag);
  return schema;
}

/**
 * YAML's core schema. The composer compares each plain value with the form of every type, and nearly all are texts: these are told
 * first. Make one for each text, as the composer adds the tags that it meets.
 */
export function coreSchema(): Schema {
  core ??= coreWithText();
  return core.clone();
}
