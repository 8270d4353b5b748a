import type { SocketAddress } from './spec.ts';

/** To the process inside: a listening door comes along with its message; an outlet and a balancer are to be listened at. */
export type ToInside =
  | { readonly kind: 'door'; readonly id: number; readonly target: SocketAddress }
  | { readonly kind: 'outlet'; readonly id: number; readonly listen: SocketAddress }
  | {
      readonly kind: 'balancer';
      readonly id: number;
      readonly listen: SocketAddress;
      readonly targets: readonly SocketAddress[];
    };

/** From it; with a listening socket when an outlet is done. */
export type FromInside =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string };
