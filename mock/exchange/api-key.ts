/** The key of a request: the header `apikey`, else the cookie of that name. Section "Authentication", rules 1 and 2. */
export function readKey(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = headers.apikey?.trim();
  if (key) return key;
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  const found = /(?:^|;\s*)apikey=([^;]*)/.exec(cookie)?.[1]?.trim();
  return found || undefined;
}
