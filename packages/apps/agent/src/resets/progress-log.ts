/** What is told while something goes on, for one reader who may come late and go early; whoever tells does not wait for him. */
export class Story<T> {
  readonly #told: T[] = [];
  #ended = false;
  #news = Promise.withResolvers<void>();

  tell(value: T): void {
    this.#told.push(value);
    this.#news.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#news.resolve();
  }

  async *read(): AsyncGenerator<T, void, undefined> {
    for (let next = 0; ;) {
      const value = this.#told[next];
      if (value !== undefined) {
        next += 1;
        yield value;
      } else {
        if (this.#ended) return;
        this.#news = Promise.withResolvers();
        await this.#news.promise;
      }
    }
  }
}
