import { signal } from '@preact/signals';

/** Under this name the tab keeps the token; closing the tab forgets it. */
const STORED = 'taskdouble-admin-token';

/** The token that every admin request sends; undefined: none is known. */
export const adminToken = signal<string | undefined>(undefined);
/** The mock refused the last token that was given. */
export const isTokenRefused = signal(false);

/** Takes the token from the tab, or from the address `#token=…`, where it does not stay. */
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
  // A header cannot hold other characters: no request could send it.
  if (/[^ -ÿ]/.test(token)) {
    isTokenRefused.value = true;
    return;
  }
  sessionStorage.setItem(STORED, token);
  isTokenRefused.value = false;
  adminToken.value = token;
}

/** The mock has refused a request with this token: another may be known by now. */
export function refuseToken(token: string | undefined): void {
  if (token === undefined || adminToken.value !== token) return;
  sessionStorage.removeItem(STORED);
  isTokenRefused.value = true;
  adminToken.value = undefined;
}
