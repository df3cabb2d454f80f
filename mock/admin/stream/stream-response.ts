import type { WireRequest } from '../../exchange/wire.js';
import { RawResponse } from '../admin-request.js';
import { LiveStream, type SendEvent, type StreamSource } from './live-stream.js';

/** Time between two batches, ms of real time. */
const EVERY_MS = 100;
/** A consumer with more unread bytes is disconnected. */
const MOST_UNREAD = 8 * 1024 * 1024;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/**
 * Server-sent events until the client disconnects. Each batch ends with an event whose id is the position after it. A client that sends
 * this id as `Last-Event-ID` or as `from` continues there.
 */
export function createStreamResponse(
  source: StreamSource,
  { request, query }: { request: WireRequest; query: Readonly<Record<string, string>> },
): RawResponse {
  const from = query.from ?? request.headers['last-event-id'] ?? '';
  const encoder = new TextEncoder();
  let finish = () => {};
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    finish();
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    let text = 'retry: 1000\n\n';
    const send: SendEvent = (event, data) => {
      text += `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    };
    const live = new LiveStream(source, send, from);
    let isBusy = false;
    const collect = async () => {
      if (isBusy) return;
      isBusy = true;
      await live.collect(performance.now());
      isBusy = false;
      if (text === '') return;
      const isTooSlow = (controller.desiredSize ?? 0) < -MOST_UNREAD;
      if (isTooSlow) {
        text = '';
        send('dropped', { reason: 'This consumer reads too slowly. Connect again to continue.' });
      }
      controller.enqueue(encoder.encode(`${text}id: ${live.position}\nevent: position\ndata: {}\n\n`));
      text = '';
      if (!isTooSlow) return;
      stop();
      controller.close();
    };
    const fail = (error: unknown) => {
      stop();
      controller.error(error);
    };
    timer = setInterval(() => void collect().catch(fail), EVERY_MS);
    request.signal?.addEventListener('abort', stop, { once: true });
    collect().catch(fail);
  };
  const stream = new ReadableStream<Uint8Array>(
    { start, cancel: stop },
    { highWaterMark: 0, size: (part) => part!.length },
  );
  const slow = { stream, end, isEndless: true } as const;
  return new RawResponse({ status: 200, headers: HEADERS, body: '', slow });
}
