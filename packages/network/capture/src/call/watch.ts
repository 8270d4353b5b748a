export type WatchTimes = {
  readonly silenceMs: number;
  readonly patienceMs: number;
};

type Acts = {
  /** After a silence: is anybody there? */
  readonly ask: () => void;
  /** Nobody has answered that. */
  readonly lost: () => void;
};

/** Notices when the other end of a connection has gone without a word. */
export class Watch {
  readonly #times: WatchTimes;
  readonly #acts: Acts;
  #timer: NodeJS.Timeout | undefined;
  #heard = false;
  #asked = false;
  #isOver = false;

  constructor(times: WatchTimes, acts: Acts) {
    this.#times = times;
    this.#acts = acts;
  }

  /** Something has come. */
  heard(): void {
    this.#heard = true;
    if (!this.#asked || this.#isOver) return;
    this.#asked = false;
    clearTimeout(this.#timer);
    this.#again();
  }

  /** Until it is disposed of. */
  begin(): Disposable {
    this.#again();
    return {
      [Symbol.dispose]: () => {
        this.#isOver = true;
        clearTimeout(this.#timer);
      },
    };
  }

  #again(): void {
    const { silenceMs, patienceMs } = this.#times;
    this.#timer = setTimeout(
      () => {
        // A process that was stopped has an answer there, perhaps, that it had no time to read.
        const timer = this.#timer;
        setImmediate(() => {
          if (timer === this.#timer) this.#judge();
        });
      },
      this.#asked ? patienceMs : silenceMs,
    );
  }

  #judge(): void {
    if (this.#isOver) return;
    if (this.#asked) return this.#acts.lost();
    this.#asked = !this.#heard;
    this.#heard = false;
    if (this.#asked) this.#acts.ask();
    this.#again();
  }
}
