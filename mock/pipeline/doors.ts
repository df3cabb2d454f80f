import type { WireRequest, WireResponse } from './wire.js';

/** Whoever answers requests of one kind; undefined for one that is none of theirs. */
export interface Room {
  handle(request: WireRequest): WireResponse | Promise<WireResponse> | undefined;
}

/** Who answers what: the API, the admin API, and the pages that the API's addresses lead to. */
export class Doors {
  constructor(
    private readonly api: { handle(request: WireRequest): WireResponse | Promise<WireResponse> },
    private readonly admin: Room,
    private readonly pages: Room,
  ) {}

  handle(request: WireRequest): WireResponse | Promise<WireResponse> {
    const { url } = request;
    if (url.startsWith('/api/')) return this.api.handle(request);
    const found = isAdmin(url) ? this.admin.handle(request) : this.pages.handle(request);
    return found ?? this.api.handle(request);
  }
}

const ADMIN = '/__admin';

export function isAdmin(url: string): boolean {
  if (!url.startsWith(ADMIN)) return false;
  const next = url.charAt(ADMIN.length);
  return next === '' || next === '/' || next === '?';
}
