import { parseBaseUrl } from '../service/http-client/base-url.js';

export interface ProxyTarget {
  /** `{base_url}`, without a slash at the end. */
  baseUrl: string;
  origin: string;
  /** The path of `{base_url}`; empty at the root. */
  base: string;
}

/**
 * Parses the target that a user enters: `/api/v1`, `/api` or slashes at the end are removed, the default scheme is http. Throws TypeError
 * for an invalid address, and for one with a user name or password.
 */
export function parseTarget(given: string): ProxyTarget {
  const baseUrl = parseBaseUrl(given.includes('://') ? given : `http://${given}`);
  const { origin } = new URL(baseUrl);
  return { baseUrl, origin, base: baseUrl.slice(origin.length) };
}

/** The target is the proxy itself, or is not reachable. The message is one line. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';

  constructor(
    readonly kind: 'unreachable' | 'loop',
    message: string,
  ) {
    super(message);
  }
}

/** The target did not respond, or its response cannot be forwarded. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    message: string,
    /** Status of the response to the client. */
    readonly status: 400 | 502 | 504 | 508 = 502,
  ) {
    super(message);
  }
}

const UNTRUSTED = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/;

/** Describes an error of the connection to the target, and what to do. */
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
      `the TLS certificate of ${host} is self-signed (${code}). Name its authority in NODE_EXTRA_CA_CERTS, or accept it with --insecure.`,
    );
  if (UNTRUSTED.test(code))
    return new UpstreamError(
      `the TLS certificate of ${host} is not accepted (${code}). Name its authority in NODE_EXTRA_CA_CERTS, or accept it with --insecure.`,
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
    return new UpstreamError(`${host} sent an invalid HTTP response (${code}: ${message}).`);
  return new UpstreamError(
    `${host} closed the connection (${[code, message].filter((each) => each !== '').join(': ')}).`,
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
