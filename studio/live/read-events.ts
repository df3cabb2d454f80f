interface StreamEvent {
  name: string;
  /** JSON. */
  data: string;
  /** Position after the event. */
  id: string | undefined;
}

/** Parses server-sent events of the admin API. `EventSource` cannot send a token; `fetch` can. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) yield toEvent(block);
  }
}

function toEvent(block: string): StreamEvent {
  const event: StreamEvent = { name: '', data: '', id: undefined };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    const [field, value] = [line.slice(0, colon), line.slice(colon + 2)];
    if (field === 'event') event.name = value;
    else if (field === 'data') event.data = value;
    else if (field === 'id') event.id = value;
  }
  return event;
}
