import type { WireRequest } from '../pipeline/wire.js';

/** Names of this machine as browsers and tools write them in `host`, with or without a port. */
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Why a request may not use the admin API; undefined if it may. With a token: any request that sends it. Without: only programs on this
 * machine, no page in a browser, not even at a host name that resolves to this machine.
 */
export function refusal(request: WireRequest, token: string | undefined): string | undefined {
  if (token !== undefined) {
    if (isSame(givenToken(request), token)) return undefined;
    return 'The admin API of this mock requires its token: send it in the header x-taskdouble-admin-token.';
  }
  if (!request.loopback) {
    return 'The admin API is open to this machine only. Start the mock with --admin-token to open it to others.';
  }
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    return 'The admin API is closed to pages in a browser. Start the mock with --admin-token to open it to them.';
  }
  if (host !== undefined && !LOOPBACK_HOST.test(host)) {
    return 'The admin API is open at localhost, 127.0.0.1 or [::1] only. Start the mock with --admin-token for other names.';
  }
  return undefined;
}

function givenToken({ headers }: WireRequest): string {
  const bearer = /^bearer +(.+)$/i.exec(headers.authorization ?? '');
  return headers['x-taskdouble-admin-token'] ?? bearer?.[1] ?? '';
}

/** Constant time: a nearly right token takes as long as any other. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let i = 0; i < wanted.length; i++)
    difference |= (given.charCodeAt(i % (given.length || 1)) || 0) ^ wanted.charCodeAt(i);
  return difference === 0;
}
