import type { WireRequest } from '../exchange/wire.js';

export interface AdminCall<T> {
  target: T;
  request: WireRequest;
  query: Readonly<Record<string, string>>;
  /** The value of `{id}` in the path, not decoded. */
  values: readonly string[];
  /** From the query or the header `apikey`; undefined means all organisations. */
  key: string | undefined;
}

export interface AdminRoute<T> {
  about: string;
  query?: readonly string[];
  run: (call: AdminCall<T>) => unknown;
}

/** Keyed by method and path below `/__admin`: `GET /tasks/{id}`. */
export type AdminRoutes<T> = Readonly<Record<string, AdminRoute<T>>>;

/** Query parameters that select an organisation: by API key or by name. */
export const KEY = ['key', 'organisation'] as const;
