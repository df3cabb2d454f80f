interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message?: unknown };
}

interface PendingRequest {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** JSON-RPC 2.0 by `postMessage` with the window that hosts the page, as the extension MCP Apps defines it. */
export class HostConnection {
  readonly #pending = new Map<number | string, PendingRequest>();
  #last = 0;

  /** `onNotification` is called with each message of the host that needs no response. */
  constructor(
    private readonly host: Window,
    private readonly onNotification: (method: string, params: unknown) => void,
  ) {
    addEventListener('message', ({ source, data }) => {
      if (source === host && data?.jsonrpc === '2.0') this.#receive(data as Message);
    });
  }

  /** Rejects with an Error if the host refuses. */
  request(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  #send(message: Message): void {
    // The origin of the host is unknown, and nothing that is sent is confidential.
    this.host.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (method !== undefined && id === undefined) this.onNotification(method, params);
    else if (method !== undefined) {
      const isKnown = method === 'ping' || method === 'ui/resource-teardown';
      const refusal = { code: -32601, message: 'Method not found' };
      this.#send({ id: id!, ...(isKnown ? { result: {} } : { error: refusal }) });
    } else if (id !== undefined) {
      const request = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) request?.reject(new Error(String(error.message)));
      else request?.resolve(result);
    }
  }
}
