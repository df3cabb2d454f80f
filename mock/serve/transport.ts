import type { WireRequest, WireResponse } from '../pipeline/wire.js';

/** What a transport calls with each request. */
export type Handle = (request: WireRequest) => WireResponse | Promise<WireResponse>;

/** Largest body of a request, in bytes. */
export type MostBytes = (request: Pick<WireRequest, 'url' | 'headers'>) => number;
