import { signal } from '@preact/signals';

/** Key in the session storage, which lasts until the tab is closed. */
const STORED = 'taskdouble-admin-token';

/** Sent with every admin request; undefined if unknown. */
export const adminToken = signal<string | undefined>(undefined);
/** The mock refused the last token. */
export const isTokenRefused = signal(false);

/** Reads the token from the address (`#token=…`), and removes it there, or from the session storage. */
export function readToken(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const fromAddress = given.get('token');
  if (fromAddress) {
    given.delete('token');
    history.replaceState(null, '', `${location.pathname}${given.size > 0 ? `#${given}` : ''}`);
    saveToken(fromAddress);
  } else adminToken.value ??= sessionStorage.getItem(STORED) ?? undefined;
}

export function saveToken(token: string): void {
  // A header cannot contain other characters.
  if (/[^ -ÿ]/.test(token)) {
    isTokenRefused.value = true;
    return;
  }
  sessionStorage.setItem(STORED, token);
  isTokenRefused.value = false;
  adminToken.value = token;
}

/** Call it when the mock has refused this token. Does nothing if the token has changed since the request. */
export function refuseToken(token: string | undefined): void {
  if (token === undefined || adminToken.value !== token) return;
  sessionStorage.removeItem(STORED);
  isTokenRefused.value = true;
  adminToken.value = undefined;
}
