import { decodeSpec, type ResourceDefinition } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';
import { JsonPath } from '@nodecore/cli/json-path';

/** The columns of a type's table. */
export class Columns {
  readonly headers: readonly string[];
  readonly #definition: ResourceDefinition;
  readonly #paths: readonly JsonPath[];

  constructor(definition: ResourceDefinition, options: { readonly watch: boolean }) {
    this.#definition = definition;
    this.#paths = definition.printColumns.map(({ jsonPath }) => new JsonPath(jsonPath));
    this.headers = [
      'node',
      ...(options.watch ? ['*'] : []),
      'namespace',
      'type',
      'id',
      'version',
      ...definition.printColumns.map(({ name }) => name),
    ];
  }

  /** The cells of one resource; with `marker` those of a watch. */
  row(node: string, { metadata, spec }: Resource, marker?: string): string[] {
    const value = decodeSpec(spec);
    return [
      node,
      ...(marker === undefined ? [] : [marker]),
      metadata?.namespace ?? '',
      this.#definition.displayType,
      metadata?.id ?? '',
      String(metadata?.version ?? ''),
      ...this.#paths.map((path) => path.column(value)),
    ];
  }
}
