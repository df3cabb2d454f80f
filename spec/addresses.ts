/**
 * Decisions about addresses use the parsed URL (WHATWG URL), never the text: `\\host`, `/\host`, `ht<TAB>tp://host` and `/%2e%2e/`
 * resolve to other addresses than they seem to.
 */

/**
 * Undefined for an invalid address. `from`: the base of a relative reference.
 * `URL.canParse` is not used: in code that runs often, Node.js 20 refuses every address with letters such as `ü`.
 */
export function parseUrl(address: string, from?: string): URL | undefined {
  try {
    return new URL(address, from);
  } catch {
    return undefined;
  }
}

/**
 * The part of an address below `base`: path, query and fragment, as a reference that begins with one slash. Undefined for an address
 * outside of `base`, and for an invalid address. `base` has no slash at the end. `from`: the base of a relative reference.
 */
export function findPathBelow(base: string, reference: string, from = `${base}/`): string | undefined {
  const url = parseUrl(reference, from);
  if (!url) return undefined;
  const root = new URL(base);
  const { origin, pathname, search, hash, username, password } = url;
  const rootPath = root.pathname === '/' ? '' : root.pathname;
  const isInside = pathname === rootPath || pathname.startsWith(`${rootPath}/`);
  if (origin !== root.origin || !isInside || username !== '' || password !== '') return undefined;
  const below = pathname.slice(rootPath.length) || '/';
  // `//host` would be an address of its own.
  return `${below.startsWith('//') ? '/.' : ''}${below}${search}${hash}`;
}

/** Whether the target of a request, appended to `base`, stays below it, also for servers that read `//` or `%2F` as `/`. */
export function isTargetBelow(base: string, target: string): boolean {
  // It cannot lead outside, and parsing costs more than the rest of a short exchange.
  if (PLAIN_TARGET.test(target)) return true;
  const decoded = target.replace(/%2f|%5c/gi, '/');
  return [target, decoded, decoded.replace(/[/\\]{2,}/g, '/')].every(
    (each) => findPathBelow(base, base + each) !== undefined,
  );
}

/** Segments of letters, digits, `_` and `-`. */
const PLAIN_TARGET = /^(?:\/[\w-]+)+(?:\?|$)/;

/** The path and query of a request target in the form of a whole address, as proxies send it; undefined for another form. */
export function findTargetPath(target: string): string | undefined {
  const url = parseUrl(target);
  return url && isHttp(url) ? url.pathname + url.search : undefined;
}

function isHttp({ protocol }: Pick<URL, 'protocol'>): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** The address of a `Host` header; undefined if it is not a host with an optional port. */
export function parseHost(host: string): URL | undefined {
  const url = parseUrl(`http://${host}/`);
  return url?.href === `http://${url?.host}/` && !/[\s/\\?#@]/.test(host) ? url : undefined;
}

/** `host`: a name or an IP address, with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
