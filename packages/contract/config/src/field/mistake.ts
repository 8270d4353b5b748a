/** What is wrong with a value. The message is shown to anybody, so it never has the value in it. */
export class Mistake {
  readonly code: string;
  readonly message: string;
  /** So many characters into the value, in which quotes, escapes and indentation are gone; 0: the value as a whole. */
  readonly ahead: number;

  constructor(code: string, message: string, ahead = 0) {
    this.code = code;
    this.message = message;
    this.ahead = ahead;
  }
}
