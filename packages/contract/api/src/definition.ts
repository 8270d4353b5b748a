/** What the node says about one type of resource; itself the spec of a resource of type {@link definitionType}. */
export type ResourceDefinition = {
  /** 'VolumeStatuses.block.nodecore.dev': plural in camel case, then where it belongs. */
  readonly type: string;
  /** 'VolumeStatus' */
  readonly displayType: string;
  /** Short names beside those of {@link namesOf}. */
  readonly aliases: readonly string[];
  /** Names from earlier versions: they still lead here, with a line that says so, and are not offered. */
  readonly formerNames?: readonly string[];
  readonly defaultNamespace: string;
  readonly printColumns: readonly PrintColumn[];
  /** Only os:admin may read resources of this type. */
  readonly sensitive: boolean;
  /** One sentence for people. */
  readonly description: string;
};

export type PrintColumn = {
  readonly name: string;
  /** RFC 9535, evaluated against the spec: '$.size'. */
  readonly jsonPath: string;
};

/** The type of the definitions; the id of each is its type in lower case. */
export const definitionType = 'ResourceDefinitions.meta.nodecore.dev';

/** The namespace of the definitions. */
export const definitionNamespace = 'meta';

/**
 * Every name a type answers to, in lower case: `volumestatuses.block.nodecore.dev`, `volumestatuses.block`,
 * `volumestatuses`, `volumestatus`, and its aliases.
 */
export function namesOf(definition: ResourceDefinition): ReadonlySet<string> {
  const parts = definition.type.toLowerCase().split('.');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  return new Set([
    ...prefixes,
    definition.displayType.toLowerCase(),
    ...definition.aliases.map((alias) => alias.toLowerCase()),
  ]);
}

/**
 * The definitions a name means: one; none when it is unknown; several when it is ambiguous.
 * The full type and an explicit alias come before the names every type has, or had.
 */
export function resolveType(
  definitions: readonly ResourceDefinition[],
  name: string,
): readonly ResourceDefinition[] {
  const wanted = name.toLowerCase();
  const exact = definitions.filter((definition) => definition.type.toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const aliased = definitions.filter(({ aliases }) =>
    aliases.some((alias) => alias.toLowerCase() === wanted),
  );
  if (aliased.length > 0) return aliased;
  return definitions.filter(
    (definition) => namesOf(definition).has(wanted) || isFormerName(definition, wanted),
  );
}

/** Whether a name is one of an earlier version: {@link resolveType} still knows it. */
export function isFormerName({ formerNames = [] }: ResourceDefinition, name: string): boolean {
  return formerNames.includes(name.toLowerCase());
}
