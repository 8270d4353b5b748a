import { createRequire } from 'node:module';

import type * as Toml from 'smol-toml';

import { document } from '../../document.ts';
import { anything } from '../../field/anything.ts';
import { Mistake } from '../../field/mistake.ts';
import { parsed } from '../../field/parsed.ts';
import { secretMaybe } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { required, type Type } from '../../field/type.ts';
import { type Place } from '../../place.ts';

/** Parts of a runtime specification (OCI runtime spec, config.md and config-linux.md). */
const specKeys: ReadonlySet<string> = new Set(
  'ociVersion process root hostname domainname mounts hooks annotations linux vm solaris windows zos'.split(
    ' ',
  ),
);

/** `CRIBaseRuntimeSpecConfig`: what every container starts from. */
export const criBaseRuntimeSpec = document(
  'CRIBaseRuntimeSpecConfig',
  'what the runtime specification of every container starts from',
  () => ({
    takesEffect: 'service',
    awaits: 'containers',
    replaces: ['machine.baseRuntimeSpecOverrides'],
    fields: { overrides: required('parts of an OCI runtime specification', anything) },
    check: ({ overrides }, at) => {
      for (const name of Object.keys(overrides))
        if (!specKeys.has(name))
          at.at('overrides', name).problem('cri_spec.part', 'is no part of an OCI runtime specification');
      const { process } = overrides;
      const limits = isMapping(process) ? process['rlimits'] : undefined;
      if (limits !== undefined && !Array.isArray(limits))
        at.at('overrides', 'process', 'rlimits').problem('cri_spec.rlimits', 'must be a list');
      for (const [index, limit] of (Array.isArray(limits) ? limits : []).entries())
        if (!isLimit(limit))
          at.at('overrides', 'process', 'rlimits', index).problem(
            'cri_spec.rlimits',
            'must have type (RLIMIT_…), soft and hard, soft not above hard',
          );
    },
    example: 'overrides:\n  process:\n    rlimits:\n      - {type: RLIMIT_NOFILE, hard: 1024, soft: 1024}\n',
  }),
);

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(count: unknown): count is number {
  return Number.isInteger(count) && Number(count) >= 0;
}

function isLimit(value: unknown): boolean {
  if (!isMapping(value)) return false;
  const { type, soft, hard } = value;
  return (
    typeof type === 'string' &&
    /^RLIMIT_[A-Z]+$/u.test(type) &&
    isCount(soft) &&
    isCount(hard) &&
    soft <= hard
  );
}

const fragmentName: Type<string> = parsed('a name', {
  json: { pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$' },
  parse: (text) => {
    if (text === 'customization')
      return new Mistake('cri.reserved', 'is the name of what machine.files has: choose another one');
    return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/u.test(text)
      ? text
      : new Mistake(
          'cri.name',
          'must be letters, digits, dots, hyphens and underscores, 63 characters at most',
        );
  },
});

/** Settings that the node itself decides. */
const owned = [['version'], ['root'], ['state'], ['grpc', 'address']] as const;

const require = createRequire(import.meta.url);

/** Loaded with the first fragment. */
function reader(): typeof Toml {
  return require('smol-toml') as typeof Toml;
}

/** A fragment of the runtime's configuration; mistakes are shown where they are in the text. */
const toml: Type<string> = {
  ...secretMaybe(text({ lines: true, longest: 65_536 })),
  says: 'TOML',
  read: (at) => {
    const content = text({ lines: true, longest: 65_536 }).read(at);
    return content === undefined || !isToml(at, content) ? undefined : content;
  },
};

function isToml(at: Place, content: string): boolean {
  let table: unknown;
  try {
    table = reader().parse(content);
  } catch (error) {
    if (!(error instanceof reader().TomlError)) throw error;
    // Its message shows the text around, which may hold a secret.
    at.problem('cri.toml', 'is not TOML here', at.ahead(error));
    return false;
  }
  for (const path of owned) {
    const found = path.reduce<unknown>((value, name) => (isMapping(value) ? value[name] : undefined), table);
    if (found === undefined) continue;
    at.problem('cri.owned', `sets ${path.join('.')}, which the node decides`);
    return false;
  }
  return true;
}

/** `CRICustomizationConfig`: a fragment of the container runtime's configuration. */
export const criCustomization = document(
  'CRICustomizationConfig',
  "a fragment of the container runtime's configuration",
  () => ({
    takesEffect: 'service',
    awaits: 'containers',
    fields: {
      name: required('fragments are merged in the order of their names', fragmentName),
      content: required('what it sets, in TOML', toml),
    },
    example: 'name: metrics\ncontent: |\n  [metrics]\n  address = "127.0.0.1:11234"\n',
  }),
);
