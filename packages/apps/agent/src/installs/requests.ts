import type { Configuration } from '@nodecore/config';
import type { DiskEnvironment, Selector } from '@nodecore/selector';
import { Secret } from '@nodecore/sys';
import { Latest } from '@nodecore/waiting';

import { ApplyError } from '../configuration/errors.ts';

/** What the document of a configuration wants, and the configuration as text, which is persisted when there is a place for it. */
export type InstallRequest = {
  readonly document: InstallDocument;
  /** As it was given, secrets included. */
  readonly text: Secret;
};

/** What of an `UnattendedInstallConfig` matters here. */
export type InstallDocument = {
  readonly installer?: { readonly image?: string | undefined } | undefined;
  readonly provisioning: {
    readonly diskSelector: { readonly match: Selector<DiskEnvironment> };
    readonly wipe: boolean;
  };
  readonly reboot?: boolean | undefined;
};

/** The configuration that waits for its machine to be installed. It is in memory only: a reboot before forgets it. */
export class InstallRequests implements Disposable {
  readonly #latest = new Latest<InstallRequest | undefined>();
  #isHeld = false;

  /** Undefined while nobody wants an installation. */
  get value(): InstallRequest | undefined {
    return this.#latest.value;
  }

  changes(signal: AbortSignal): AsyncIterable<InstallRequest | undefined> {
    return this.#latest.changes(signal);
  }

  /**
   * Takes a configuration that asks for an installation.
   *
   * @returns what is to be said of it; undefined when it asks for none.
   * @throws {ApplyError} `ERR_APPLY_IN_PROGRESS` while another one is being installed.
   */
  take(configuration: Configuration, text: string): string | undefined {
    const document: InstallDocument | undefined = configuration.get('UnattendedInstallConfig');
    if (document === undefined) return undefined;
    if (this.#isHeld)
      throw new ApplyError('ERR_APPLY_IN_PROGRESS', 'the node is being installed with another configuration');
    const before = this.value;
    this.#latest.set({ document, text: Secret.copy(Buffer.from(text)) });
    before?.text[Symbol.dispose]();
    return 'The node installs itself first, and keeps the configuration then: osctl get unattendedinstallstatus';
  }

  /** From now on it is the one, until it is let go. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  /** Nobody wants an installation any more. */
  clear(): void {
    const before = this.value;
    this.#isHeld = false;
    this.#latest.set(undefined);
    before?.text[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
