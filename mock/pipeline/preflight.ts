import type { WireRequest, WireResponse } from './wire.js';

/** Browsers ask first. */
export function preflight(wire: WireRequest): WireResponse {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': wire.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '600',
    },
    body: '',
  };
}
