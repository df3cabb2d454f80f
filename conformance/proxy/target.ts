import { parseBaseUrl } from '../service/http-client/base-url.js';

/** The service behind a proxy. */
export interface ProxyTarget {
  /** `{base_url}`, without a slash at the end. */
  baseUrl: string;
  origin: string;
  /** The path of `{base_url}`; empty at the root. */
  base: string;
}

/**
 * The target from what people give: an address that already ends in `/api/v1` or `/api`, slashes at the end, one without a
 * scheme, which is http. Throws TypeError for anything else, and for one with a user name or password in it.
 */
export function parseTarget(given: string): ProxyTarget {
  const baseUrl = parseBaseUrl(given.includes('://') ? given : `http://${given}`);
  const { origin } = new URL(baseUrl);
  return { baseUrl, origin, base: baseUrl.slice(origin.length) };
}

/** The target cannot be what it was given as: the proxy itself, or nothing that can be reached. One line for people. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';

  constructor(
    readonly kind: 'unreachable' | 'loop',
    message: string,
  ) {
    super(message);
  }
}

/** The target did not respond, or not in a way that can be passed on. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    message: string,
    /** What the client gets. */
    readonly status: 400 | 502 | 504 | 508 = 502,
  ) {
    super(message);
  }
}

const UNTRUSTED = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/;

/** What went wrong on the way to the target, in words, and what to do. */
export function toUpstreamError({ origin, baseUrl }: ProxyTarget, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const { host, hostname } = new URL(origin);
  const code = readErrorCode(error);
  const isHttps = origin.startsWith('https:');
  if (code === 'ECONNREFUSED')
    return new UpstreamError(`nothing listens at ${host} (${code}). Start the service, or correct TARGET.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new UpstreamError(
      `the host name ${hostname} cannot be resolved (${code}). Correct TARGET, or check the network.`,
    );
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT' || code === 'SELF_SIGNED_CERT_IN_CHAIN')
    return new UpstreamError(
      `the TLS certificate of ${host} is self-signed (${code}). Name its authority in NODE_EXTRA_CA_CERTS, or take it with --insecure.`,
    );
  if (UNTRUSTED.test(code))
    return new UpstreamError(
      `the TLS certificate of ${host} is not accepted (${code}). Name its authority in NODE_EXTRA_CA_CERTS, or take it with --insecure.`,
    );
  if (code.includes('NO_APPLICATION_PROTOCOL'))
    return new UpstreamError(`${host} speaks HTTP/2 only (${code}). The proxy speaks HTTP/1.1.`);
  if (isHttps && (code === 'EPROTO' || code.startsWith('ERR_SSL_')))
    return new UpstreamError(
      `${host} does not speak TLS (${code}). Is it ${baseUrl.replace('https:', 'http:')}?`,
    );
  if (code === 'ETIMEDOUT') return new UpstreamError(`${host} did not respond in time (${code}).`, 504);
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new UpstreamError(`${host} sent headers that are larger than 64 KiB (${code}).`);
  if (code.startsWith('HPE_'))
    return new UpstreamError(`${host} sent what is no HTTP response (${code}: ${message}).`);
  return new UpstreamError(
    `${host} broke the connection off (${[code, message].filter((each) => each !== '').join(': ')}).`,
  );
}

function readErrorCode(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    const [first] = (each as AggregateError).errors ?? [];
    if (first !== undefined) return readErrorCode(first);
  }
  return '';
}
