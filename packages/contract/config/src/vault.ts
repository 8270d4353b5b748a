import { Secret } from '@nodecore/sys/pure';

/** Holds the secrets met while a text is read, so that a text that turns out invalid leaves none behind. */
export class Vault {
  readonly secrets: Secret[] = [];

  /** Turns a text into a secret. The text itself is the parser's and can't be wiped; nothing keeps it. */
  keep(text: string): Secret {
    const secret = Secret.zeros(Buffer.byteLength(text));
    secret.bytes.write(text, 'utf8');
    this.secrets.push(secret);
    return secret;
  }

  /** Takes the bytes over. */
  keepBytes(bytes: Uint8Array): Secret {
    const secret = Secret.take(bytes);
    this.secrets.push(secret);
    return secret;
  }

  wipe(): void {
    for (const secret of this.secrets) secret[Symbol.dispose]();
    this.secrets.length = 0;
  }
}
