import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { KeyRing } from '../ring/key-ring.ts';
import type { Outcome } from './outcome.ts';

/** What Prometheus is told. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'nodecore_kms_requests_total',
    help: 'Calls by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: 'nodecore_kms_request_seconds',
    help: 'Time from a request to its answer, with the audit log.',
    labelNames: ['operation'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
    registers: [this.#registry],
  });
  readonly #unseals = new Counter({
    name: 'nodecore_kms_unseals_total',
    help: 'Keys given back, by the ring key that had sealed them.',
    labelNames: ['key'],
    registers: [this.#registry],
  });
  readonly #ringKeys = new Gauge({
    name: 'nodecore_kms_ring_keys',
    help: 'Keys in the ring by state.',
    labelNames: ['state'],
    registers: [this.#registry],
  });
  readonly #activeSince = new Gauge({
    name: 'nodecore_kms_ring_active_created_timestamp_seconds',
    help: 'When the active ring key was made.',
    registers: [this.#registry],
  });
  readonly #certificateEnd = new Gauge({
    name: 'nodecore_kms_certificate_not_after_timestamp_seconds',
    help: 'When the certificate of the server ends.',
    registers: [this.#registry],
  });
  readonly #handshakes = new Counter({
    name: 'nodecore_kms_handshake_failures_total',
    help: 'Connections that did not come through the TLS handshake.',
    registers: [this.#registry],
  });
  readonly #reloads = new Counter({
    name: 'nodecore_kms_reloads_total',
    help: 'Times a file was read again, by file and success.',
    labelNames: ['file', 'success'],
    registers: [this.#registry],
  });

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  request(operation: 'seal' | 'unseal', outcome: Outcome, seconds: number): void {
    this.#requests.inc({ operation, outcome });
    this.#seconds.observe({ operation }, seconds);
  }

  unsealed(key: string): void {
    this.#unseals.inc({ key });
  }

  ring(ring: KeyRing): void {
    for (const state of ['active', 'previous', 'retired'] as const)
      this.#ringKeys.set({ state }, ring.keys.filter((key) => key.state === state).length);
    this.#activeSince.set(ring.active.createdSeconds);
  }

  certificate(notAfterMs: number): void {
    this.#certificateEnd.set(notAfterMs / 1000);
  }

  handshakeFailed(): void {
    this.#handshakes.inc();
  }

  reloaded(file: string, success: boolean): void {
    this.#reloads.inc({ file, success: String(success) });
  }
}
