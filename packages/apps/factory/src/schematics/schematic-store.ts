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
};
