import type { Exchange } from '../../spec/vocabulary.js';

/** The environment variable that stands for the API key: the journal does not know it. */
const KEY = 'TASKDOUBLE_API_KEY';
/** Headers that the tools set themselves, or that hold the key. */
const LEFT_OUT =
  /^(?:host|connection|content-length|accept-encoding|user-agent|apikey|authorization|sec-.*|origin|referer|cookie)$/i;

type Request = Pick<Exchange, 'request'>['request'];

function headersOf({ headers }: Request): [string, string][] {
  return Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name));
}

/** A line for a POSIX shell. */
export function asCurl({ request }: Exchange, baseUrl: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -sS -X ${request.method} ${quoted(baseUrl + request.url)}`,
    `-H "apikey: $${KEY}"`,
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request.body ? [`--data-raw ${quoted(request.body)}`] : []),
  ].join(' \\\n  ');
}

export function asFetch({ request }: Exchange, baseUrl: string): string {
  const headers = [
    `apikey: process.env.${KEY}`,
    ...headersOf(request).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const body = request.body ? `\n  body: ${JSON.stringify(request.body)},` : '';
  return `await fetch(${JSON.stringify(baseUrl + request.url)}, {\n  method: ${JSON.stringify(request.method)},\n  headers: { ${headers.join(', ')} },${body}\n});`;
}

/** For the library `requests`. */
export function asPython({ request }: Exchange, baseUrl: string): string {
  const headers = [
    `"apikey": os.environ["${KEY}"]`,
    ...headersOf(request).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const body = request.body ? `\n    data=${JSON.stringify(request.body)}.encode(),` : '';
  return `import os, requests\n\nrequests.request(\n    ${JSON.stringify(request.method)},\n    ${JSON.stringify(baseUrl + request.url)},\n    headers={${headers.join(', ')}},${body}\n)`;
}
