import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Identity = { readonly crt: Buffer; readonly key: Buffer };

/** A certificate authority that lives as long as the test file. */
export class Authority implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'nodecore-ca-'));
  readonly ca: Buffer;

  constructor() {
    this.ca = this.#make('ca', ['-subj', '/CN=test', '-addext', 'keyUsage=critical,keyCertSign']).crt;
  }

  /** A server certificate for loopback. */
  server(name = 'server'): Identity {
    const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1';
    return this.#make(name, ['-subj', '/CN=node', ...this.#signed(), '-addext', names]);
  }

  /** A client certificate with one organization per role. */
  client(...roles: readonly string[]): Identity {
    const subject = `/${roles.map((role) => `O=${role}/`).join('')}CN=client`;
    return this.#make(`client-${roles.join('-').replaceAll(':', '-')}`, [
      '-subj',
      subject,
      ...this.#signed(),
    ]);
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #signed(): string[] {
    return [
      '-CA',
      this.#path('ca.crt'),
      '-CAkey',
      this.#path('ca.key'),
      '-addext',
      'basicConstraints=CA:FALSE',
    ];
  }

  #make(name: string, options: readonly string[]): Identity {
    const [key, crt] = [this.#path(`${name}.key`), this.#path(`${name}.crt`)];
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ed25519',
      '-nodes',
      '-days',
      '1',
      '-keyout',
      key,
      '-out',
      crt,
    ];
    execFileSync('openssl', [...request, ...options], { stdio: 'pipe' });
    return { crt: readFileSync(crt), key: readFileSync(key) };
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}
