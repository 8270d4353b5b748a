import {
  type CallOptions,
  type CallSigner,
  callStream,
  callUnary,
  OwnedChannel,
  parseEndpoint,
  formatEndpoint,
} from '@nodecore/api';

import {
  AuthService,
  type ConfirmPublicKeyRequestInit,
  type CreateJoinTokenRequestInit,
  type CreateJoinTokenResponse,
  type CreateServiceAccountRequestInit,
  type CreateServiceAccountResponse,
  type GetMachineJoinConfigRequestInit,
  type GetMachineJoinConfigResponse,
  type GetRequestInit,
  type GetResponse,
  type ListRequestInit,
  type ListResponse,
  type MachineLogsRequestInit,
  type MachineLogsResponse,
  ManagementService,
  type RegisterPublicKeyRequestInit,
  type RegisterPublicKeyResponse,
  type Resource,
  type ResourceInit,
  type SecurityReportRequestInit,
  type SecurityReportResponse,
  StateService,
  type TeardownRequestInit,
  type TeardownResponse,
  type WatchRequestInit,
  type WatchResponse,
  type WhoAmIResponse,
} from '../gen/nodecore-fleet-v1.js';

/** Where a fleet is, and as whom it is called. */
export type FleetConnectOptions = {
  /** `https://host:port` */
  readonly url: string;
  /** PEM of who vouches for the fleet; absent: public authorities. */
  readonly ca?: string | undefined;
  /** Any certificate is accepted, and then anybody may be in between. */
  readonly skipVerify?: boolean | undefined;
  /** Signs every call; `signer` makes one of a key. */
  readonly sign: CallSigner;
};

/** A signer that signs nothing: for the calls of who has no key yet. */
export const unsigned: CallSigner = () => Promise.resolve({});

/**
 * A client of a fleet manager. Nothing is sent before the first call.
 *
 * @example
 * using client = connectFleet({ url: 'https://fleet.example:8080', ca, sign });
 * console.log((await client.whoAmI()).role);
 */
export function connectFleet(options: FleetConnectOptions): FleetClient {
  return new FleetClient(options);
}

/** Calls to one fleet over one connection. Owned by the caller of {@link connectFleet}; every call rejects with an `ApiError`. */
export class FleetClient implements Disposable {
  readonly #owned: OwnedChannel;

  /** Use {@link connectFleet}. */
  constructor({ url, ca, skipVerify, sign }: FleetConnectOptions) {
    const endpoint = formatEndpoint(parseEndpoint(url));
    this.#owned = new OwnedChannel({ endpoint, ca, sign, ...(skipVerify === true && { unverified: true }) });
  }

  /** `host:port` */
  get endpoint(): string {
    return this.#owned.channel.endpoint;
  }

  get(request: GetRequestInit, options: CallOptions = {}): Promise<GetResponse> {
    return callUnary(this.#owned.channel, StateService.get, request, options);
  }

  /** Batches sorted by id; the last one has the bookmark. */
  list(request: ListRequestInit, options: CallOptions = {}): AsyncIterable<ListResponse> {
    return callStream(this.#owned.channel, StateService.list, request, { timeoutMs: 30_000, ...options });
  }

  /** Batches of events of one connection; `follow` of `@nodecore/api` goes on after a lost one. */
  watch(request: WatchRequestInit, options: CallOptions = {}): AsyncIterable<WatchResponse> {
    return callStream(this.#owned.channel, StateService.watch, request, options);
  }

  async create(resource: ResourceInit, options: CallOptions = {}): Promise<Resource | undefined> {
    return (await callUnary(this.#owned.channel, StateService.create, { resource }, options)).resource;
  }

  /** The version of the metadata is the one that the change was made from. */
  async update(resource: ResourceInit, options: CallOptions = {}): Promise<Resource | undefined> {
    return (await callUnary(this.#owned.channel, StateService.update, { resource }, options)).resource;
  }

  teardown(request: TeardownRequestInit, options: CallOptions = {}): Promise<TeardownResponse> {
    return callUnary(this.#owned.channel, StateService.teardown, request, options);
  }

  async destroy(request: TeardownRequestInit, options: CallOptions = {}): Promise<void> {
    await callUnary(this.#owned.channel, StateService.destroy, request, options);
  }

  /** What a machine has logged. */
  machineLogs(
    request: MachineLogsRequestInit,
    options: CallOptions = {},
  ): AsyncIterable<MachineLogsResponse> {
    return callStream(this.#owned.channel, ManagementService.machineLogs, request, options);
  }

  /** What is known of an image, in pieces. The fleet asks its factory, which may take a while for an image that nobody has asked for. */
  securityReport(
    request: SecurityReportRequestInit,
    options: CallOptions = {},
  ): AsyncIterable<SecurityReportResponse> {
    return callStream(this.#owned.channel, ManagementService.securityReport, request, {
      timeoutMs: 120_000,
      ...options,
    });
  }

  createJoinToken(
    request: CreateJoinTokenRequestInit,
    options: CallOptions = {},
  ): Promise<CreateJoinTokenResponse> {
    return callUnary(this.#owned.channel, ManagementService.createJoinToken, request, options);
  }

  async revokeJoinToken(id: string, options: CallOptions = {}): Promise<void> {
    await callUnary(this.#owned.channel, ManagementService.revokeJoinToken, { id }, options);
  }

  /** How a machine is told of the fleet. */
  machineJoinConfig(
    request: GetMachineJoinConfigRequestInit,
    options: CallOptions = {},
  ): Promise<GetMachineJoinConfigResponse> {
    return callUnary(this.#owned.channel, ManagementService.getMachineJoinConfig, request, options);
  }

  createServiceAccount(
    request: CreateServiceAccountRequestInit,
    options: CallOptions = {},
  ): Promise<CreateServiceAccountResponse> {
    return callUnary(this.#owned.channel, ManagementService.createServiceAccount, request, options);
  }

  async destroyServiceAccount(name: string, options: CallOptions = {}): Promise<void> {
    await callUnary(this.#owned.channel, ManagementService.destroyServiceAccount, { name }, options);
  }

  whoAmI(options: CallOptions = {}): Promise<WhoAmIResponse> {
    return callUnary(this.#owned.channel, ManagementService.whoAmI, {}, options);
  }

  registerPublicKey(
    request: RegisterPublicKeyRequestInit,
    options: CallOptions = {},
  ): Promise<RegisterPublicKeyResponse> {
    return callUnary(this.#owned.channel, AuthService.registerPublicKey, request, options);
  }

  async confirmPublicKey(request: ConfirmPublicKeyRequestInit, options: CallOptions = {}): Promise<void> {
    await callUnary(this.#owned.channel, AuthService.confirmPublicKey, request, options);
  }

  /** A link that opens the web page as the caller, once, within a minute. */
  async createWebLogin(options: CallOptions = {}): Promise<string> {
    return (await callUnary(this.#owned.channel, AuthService.createWebLogin, {}, options)).url;
  }

  async revokePublicKey(keyId: string, options: CallOptions = {}): Promise<void> {
    await callUnary(this.#owned.channel, AuthService.revokePublicKey, { keyId }, options);
  }

  /** Ends the connection and every call on it. Twice is fine. */
  close(): void {
    this.#owned.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
