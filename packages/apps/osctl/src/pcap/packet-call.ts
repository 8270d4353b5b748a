import {
  type CaptureCounts,
  type CaptureReport,
  type CaptureRequestInit,
  CaptureResponse,
  type CaptureStart,
} from '@nodecore/api/capture';

import { codeOf } from '@nodecore/sys/pure';
import { onAbort } from '@nodecore/waiting';

import type { Target } from '../nodes/target.ts';
import { filterErrorOf } from './filter.ts';

/**
 * A part of a file: one header, any number of pieces with whole records, one trailer. The bytes of pieces are borrowed until the
 * next part is asked for.
 */
export type Part = { readonly kind: 'header' | 'records' | 'trailer'; readonly bytes: Uint8Array };

/** How long the node may take to end a capture in order. */
const patienceMs = 5_000;

/** One capture on one node. */
export class PacketCall {
  readonly #target: Target;
  readonly #request: CaptureRequestInit;
  readonly #interrupted: AbortSignal;
  #counts: CaptureCounts | undefined;
  #report: CaptureReport | undefined;

  /** @param interrupted ends the capture in order: what was captured and the report still come. */
  constructor(target: Target, request: CaptureRequestInit, interrupted: AbortSignal) {
    this.#target = target;
    this.#request = request;
    this.#interrupted = interrupted;
  }

  /** As far as they are known. */
  get counts(): CaptureCounts | undefined {
    return this.#report?.counts ?? this.#counts;
  }

  /** Once it has ended. */
  get report(): CaptureReport | undefined {
    return this.#report;
  }

  /**
   * The capture as a file, read no faster than it is taken here.
   *
   * @param begun gets the answer before the first part.
   * @throws {FilterError}
   * @throws {ApiError}
   */
  async *parts(begun: (start: CaptureStart) => Promise<void>): AsyncGenerator<Part, void, undefined> {
    const { client, node } = this.#target;
    const over = new AbortController();
    let id: string | undefined;
    const interrupt = (): void => {
      if (id === undefined) over.abort(this.#interrupted.reason);
      else void this.#end(id, over);
    };
    using _listener = onAbort(this.#interrupted, interrupt);
    try {
      const { messagesOf } = await import('@nodecore/capture/call');
      const call = client.captureCall(this.#request, { node, signal: over.signal });
      for await (const message of messagesOf(call)) {
        const { start, data, progress, report } = CaptureResponse.decode(message);
        if (start !== undefined) {
          id = start.id;
          if (this.#interrupted.aborted) interrupt();
          await begun(start);
          yield { kind: 'header', bytes: start.header.slice() };
        }
        if (data.length > 0) yield { kind: 'records', bytes: data };
        this.#counts = progress ?? this.#counts;
        if (report !== undefined) this.#report = { ...report, trailer: report.trailer.slice() };
      }
    } catch (error) {
      throw filterErrorOf(error);
    } finally {
      over.abort();
    }
    if (this.#report !== undefined) yield { kind: 'trailer', bytes: this.#report.trailer };
  }

  /** A node that does not answer is left alone. */
  async #end(id: string, over: AbortController): Promise<void> {
    const { client, node } = this.#target;
    const late = AbortSignal.timeout(patienceMs);
    const listener = onAbort(late, () => over.abort(this.#interrupted.reason));
    onAbort(over.signal, () => listener[Symbol.dispose]());
    try {
      await client.stopCapture({ id }, { node, timeoutMs: patienceMs });
    } catch (error) {
      // Not found: it has just ended by itself, and its report is on the way.
      if (codeOf(error) !== 'ERR_API_NOT_FOUND') over.abort(this.#interrupted.reason);
    }
  }
}
