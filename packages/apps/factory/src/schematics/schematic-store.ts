/** A schematic as it is kept. */
export type StoredSchematic = { readonly id: string; readonly text: string; readonly createdAt: Date };

/** Some of a list that is in the order of IDs. */
export type Page = {
  /** Those behind it; empty for the first page. */
  readonly after: string;
  readonly limit: number;
};

/**
 * Schematics by ID: they may hold join tokens. What {@link SchematicStore.put} has returned from survives a power cut, and every
 * process that has the store open knows it.
 */
export type SchematicStore = AsyncDisposable & {
  /**
   * Keeps the canonical text under its ID; one that is there is left alone.
   *
   * @returns whether it was not there.
   * @throws {FactoryError} with `ERR_FACTORY_STORE_FULL` or `ERR_FACTORY_STORE`, without anything of the text.
   */
  put(id: string, text: string): Promise<boolean>;

  /**
   * The canonical text, or undefined.
   *
   * @throws {FactoryError} with `ERR_FACTORY_STORE`.
   */
  get(id: string): Promise<string | undefined>;

  /**
   * Those whose texts begin with a line, which that of an owner does, by ID. Not there in a store that can't find them.
   *
   * @param line as it is written, without its end.
   * @throws {FactoryError} with `ERR_FACTORY_STORE`.
   */
  list?(line: string, page: Page): Promise<readonly StoredSchematic[]>;
};
