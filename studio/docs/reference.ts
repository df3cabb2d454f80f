// The script of the API reference: filter, requests, recorded exchanges. It runs in the page.

const API = '/api/v1';
const find = <T extends Element>(selector: string) => document.querySelector<T>(selector)!;

/** Behind the proxy, requests reach a real service. */
find<HTMLElement>('#warning').hidden = document.body.dataset.target !== 'proxy';

find<HTMLInputElement>('#filter').addEventListener('input', ({ currentTarget }) => {
  const text = (currentTarget as HTMLInputElement).value.toLowerCase();
  for (const item of document.querySelectorAll<HTMLElement>('.operations li'))
    item.hidden = !`${item.textContent} ${item.firstElementChild!.getAttribute('title')}`
      .toLowerCase()
      .includes(text);
});

for (const form of document.querySelectorAll<HTMLFormElement>('form'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const output = form.querySelector('output')!;
    output.textContent = '…';
    sendRequest(form).then(
      (text) => {
        output.textContent = text;
      },
      (error: Error) => {
        output.textContent = `The request failed: ${error.message}`;
      },
    );
  });

async function sendRequest(form: HTMLFormElement): Promise<string> {
  const query = new URLSearchParams();
  let path = form.dataset.path!;
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const body = form.querySelector('textarea')?.value;
  const search = query.size > 0 ? `?${query}` : '';
  const response = await fetch(`${API}${path}${search}`, {
    method: form.dataset.method!,
    headers: {
      apikey: find<HTMLInputElement>('#key').value,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  return `${response.status}\n${formatJson(await response.text())}`;
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Latest exchanges that are listed. */
const MOST_LISTED = 20;

interface RecordedLink {
  seq: number;
  task?: string;
  organisation: string;
  response?: { status: number };
}

for (const place of document.querySelectorAll<HTMLElement>('.recorded'))
  place.querySelector('button')!.addEventListener('click', async () => {
    const exchanges = await fetchRecorded(place.dataset.kinds!.split(' ')).catch((error: Error) => error);
    const status = document.createElement('span');
    status.setAttribute('role', 'status');
    if (exchanges instanceof Error) status.textContent = exchanges.message;
    else if (exchanges.length === 0) status.textContent = 'None is recorded yet.';
    else for (const each of exchanges.slice(-MOST_LISTED)) status.append(createLink(each), ' ');
    place.replaceChildren('Recorded exchanges: ', status);
  });

async function fetchRecorded(kinds: readonly string[]): Promise<RecordedLink[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const response = await fetch(`/__admin/journal?kind=${encodeURIComponent(kind)}`);
      if (!response.ok) throw new Error(`The journal is not readable here: ${response.status}.`);
      return ((await response.json()) as { exchanges: RecordedLink[] }).exchanges;
    }),
  );
  return found.flat().sort((one, other) => one.seq - other.seq);
}

function createLink({ seq, task, organisation, response }: RecordedLink): HTMLAnchorElement {
  const link = document.createElement('a');
  const selection = new URLSearchParams({
    ...(task === undefined ? { task: 'others', organisation } : { task }),
    exchange: String(seq),
  });
  link.href = `/__studio#${selection}`;
  link.textContent = `#${seq}${response ? ` (${response.status})` : ''}`;
  return link;
}
