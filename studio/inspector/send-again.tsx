import { useState } from 'preact/hooks';
import type { Exchange } from '../../spec/vocabulary.js';
import { admin } from '../live/admin-client.js';

interface SendAgainProps {
  exchange: Exchange;
  /** A proxy forwards the request to a real service, and keeps no key. */
  target: 'mock' | 'proxy';
}

/** Sends the request once more, as it was or changed. */
export function SendAgain({ exchange, target }: SendAgainProps) {
  const { seq, organisation, request } = exchange;
  const [isOpen, setOpen] = useState(target === 'proxy');
  const [url, setUrl] = useState(request.url);
  const [body, setBody] = useState(request.body ?? '');
  const [key, setKey] = useState('');
  const [outcome, setOutcome] = useState('');
  const send = async (event: Event) => {
    event.preventDefault();
    const change = {
      ...(url !== request.url && { url }),
      ...(body !== (request.body ?? '') && { body }),
    };
    const sending =
      target === 'proxy'
        ? sendToService(exchange, { url, body, key })
        : admin.sendAgain(organisation, seq, change).then((result) => `sent as #${result.seq}`);
    setOutcome(await sending.catch((error: Error) => error.message));
  };
  return (
    <details class="send-again" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Send again</summary>
      {target === 'proxy' && (
        <p class="warn" role="note">
          This request reaches the real service: what it creates or deletes there is real.
        </p>
      )}
      <form onSubmit={send}>
        <label>
          {request.method}{' '}
          <input type="text" value={url} onInput={({ currentTarget }) => setUrl(currentTarget.value)} />
        </label>
        {request.method !== 'GET' && (
          <label>
            Body
            <textarea rows={5} value={body} onInput={({ currentTarget }) => setBody(currentTarget.value)} />
          </label>
        )}
        {target === 'proxy' && (
          <label>
            API key{' '}
            <input
              type="password"
              autocomplete="off"
              value={key}
              onInput={({ currentTarget }) => setKey(currentTarget.value)}
            />
          </label>
        )}
        <button type="submit" class="small">
          {target === 'proxy' ? 'Send to the real service' : 'Send'}
        </button>{' '}
        <span class="soft" role="status">
          {outcome}
        </span>
      </form>
    </details>
  );
}

/** The page is at the address of the proxy, which records the request like any other. */
async function sendToService(
  { request }: Exchange,
  { url, body, key }: { url: string; body: string; key: string },
): Promise<string> {
  const type = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const response = await fetch(url, {
    method: request.method,
    headers: { apikey: key, ...(type !== undefined && { 'content-type': type }) },
    ...(request.method !== 'GET' && body !== '' && { body }),
  });
  return `the service responded with ${response.status}`;
}
