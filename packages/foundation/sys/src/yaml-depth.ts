/** What of a token of the `yaml` package's parser has others in it. */
export type YamlToken = {
  readonly type: string;
  readonly value?: unknown;
  readonly items?: readonly { readonly key?: YamlToken | null; readonly value?: YamlToken }[];
};

/**
 * How deep the tokens of a YAML text are nested; a scalar is at 2, within its document. Level by level and without recursion: it is
 * asked before the text is composed, which recurses, so that a text of many brackets can not end the process.
 */
export function yamlDepth(tokens: Iterable<YamlToken>): number {
  let level: readonly YamlToken[] = [...tokens];
  let depth = 0;
  while (level.length > 0) {
    depth += 1;
    const below: YamlToken[] = [];
    for (const token of level) addChildren(token, below);
    level = below;
  }
  return depth;
}

function addChildren({ type, value, items }: YamlToken, below: YamlToken[]): void {
  if (type === 'document') {
    if (value !== undefined) below.push(value as YamlToken);
    return;
  }
  for (const { key, value: child } of items ?? []) {
    if (key !== undefined && key !== null) below.push(key);
    if (child !== undefined) below.push(child);
  }
}
