import { readObject, objectJson, type ObjectOptions } from './field/object.ts';
import { type Fields, type Json, type Of } from './field/type.ts';
import { type Place } from './place.ts';
import { type PathStep } from './problems.ts';

/** What a changed document takes to come into force; `once`: it only counts before the node is installed. */
export type DocumentEffect = 'live' | 'service' | 'reboot' | 'once';

/** The same of a field of the root; `none`: nothing acts on it. */
export type Effect = DocumentEffect | 'none';

/** A name in a name space, and the path of the field that says it. */
export type Claim = { readonly name: string; readonly at: readonly PathStep[] };

/** A part of the node that acts on documents. */
export type Awaited = 'network' | 'containers' | 'orchestrator' | 'storage' | 'isolation' | 'installation';

/** A field of the root that a document replaces; with `beside`, only where the document has this field. */
export type Replaced = string | { readonly path: string; readonly beside: string };

/** The path in the root. */
export function replacedPath(one: Replaced): string {
  return typeof one === 'string' ? one : one.path;
}

export type DocumentOptions<All extends Fields> = ObjectOptions<All> & {
  /** A document with a field `name` is one of many, told apart by it; without one there is one of the kind. */
  readonly fields: All;
  readonly takesEffect: DocumentEffect;
  /** A whole document below apiVersion and kind, for the reference and `explain`. */
  readonly example: string;
  /** Kinds with the same word share one name space, in which no name is given twice. */
  readonly clash?: string;
  /** What a document claims there, and where it says so; without a word its `name`. */
  readonly claims?: (value: Of<All>) => readonly Claim[];
  /** Only machines of this type take it. */
  readonly only?: 'controlplane';
  /** In a container it has no effect, or is refused; without a word it counts there too. */
  readonly container?: 'ignored' | 'refused';
  /** What the node needs to act on it and does not have yet: until then the document is checked and kept, with a warning. */
  readonly awaits?: Awaited;
  /** Names are letters, digits and hyphens, as labels of partitions are. */
  readonly shortNames?: boolean;
  /** JSON Schema of rules that a reader reports: for editors. */
  readonly editor?: readonly Json[];
  /** Fields of the root that say the same: both together are a problem. */
  readonly replaces?: readonly Replaced[];
};

type Shown = Omit<DocumentOptions<Fields>, 'check' | 'claims'>;

/** The one description of a kind of document. */
export type DocumentKind<Name extends string, Value> = {
  readonly kind: Name;
  readonly about: string;
  readonly options: Shown;
  readonly claims: (value: unknown) => readonly Claim[];
  readonly json: Json;
  /** Reads a document, or reports everything that is wrong with it. */
  readonly read: (root: Place) => Value | undefined;
};

const head: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** What a kind holds; called once, when somebody first asks for it: most programs meet few of the kinds. */
type Describe<All extends Fields> = () => DocumentOptions<All>;

/** Describes a kind of document: its name, one sentence about it, and what it holds. */
export function document<const Name extends string, const All extends Fields>(
  kind: Name,
  about: string,
  describe: Describe<All>,
): DocumentKind<Name, Of<All>> {
  return kindOf(kind, about, describe, (root, options) => {
    checkHead(root);
    if (options.awaits !== undefined)
      root
        .at('kind')
        .warning('kind.no_effect', `this version of the node checks and keeps it, and does not act on it`);
    return readObject(root, options.fields, options, head);
  });
}

/**
 * A document whose rules are with a reader of its own, which speaks also where some fields are wrong: then it gets no value of them,
 * and looks at the places.
 */
export function documentWith<const Name extends string, const All extends Fields, Value>(
  kind: Name,
  about: string,
  describe: Describe<All>,
  read: (root: Place, value: Of<All> | undefined) => Value | undefined,
): DocumentKind<Name, Value> {
  return kindOf(kind, about, describe, (root, options) => {
    checkHead(root);
    return read(root, readObject(root, options.fields, options, head));
  });
}

/** The root document: the only one without apiVersion and kind. */
export function rootDocument<const All extends Fields, Value>(
  about: string,
  describe: Describe<All>,
  read: (root: Place, value: Of<All> | undefined) => Value | undefined,
): DocumentKind<'machine', Value> {
  return kindOf('machine', about, describe, (root, options) =>
    read(root, readObject(root, options.fields, options)),
  );
}

function kindOf<const Name extends string, const All extends Fields, Value>(
  kind: Name,
  about: string,
  describe: Describe<All>,
  read: (root: Place, options: DocumentOptions<All>) => Value | undefined,
): DocumentKind<Name, Value> {
  let described: DocumentOptions<All> | undefined;
  const options = (): DocumentOptions<All> => (described ??= describe());
  return {
    kind,
    about,
    get options() {
      return options();
    },
    claims: (value) => (options().claims ?? byName)(value as Of<All>),
    get json() {
      return documentJson(kind, options());
    },
    read: (root) => read(root, options()),
  };
}

function documentJson(kind: string, { fields, rules = [], editor, takesEffect }: Shown): Json {
  if (kind === 'machine') return objectJson(fields, rules);
  const {
    properties,
    required = [],
    ...rest
  } = objectJson(fields, rules) as { properties: Json; required?: readonly string[] };
  return {
    ...rest,
    properties: { apiVersion: { const: 'v1alpha1' }, kind: { const: kind }, ...properties },
    required: ['apiVersion', 'kind', ...required],
    ...(editor === undefined ? {} : { allOf: editor }),
    'x-effect': takesEffect,
  };
}

function byName({ name }: { readonly name?: unknown }): readonly Claim[] {
  return typeof name === 'string' ? [{ name, at: ['name'] }] : [];
}

function checkHead(root: Place): void {
  const version = root.get('apiVersion');
  if (version === undefined) root.problemAt('apiVersion', 'required', 'required and missing');
  else if (version.isEmpty()) version.wrongType('v1alpha1');
  else if (version.scalar()?.value !== 'v1alpha1') version.problem('invalid_value', 'must be v1alpha1');
}
