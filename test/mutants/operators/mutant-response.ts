import { createLightResponse, isLight } from '../../../mock/serve/light-response.js';

/** A task or another record, as loose as a faulty service has it. */
export type LooseRecord = Record<string, unknown>;

/** An answer on its way to the client: read it, change it, hand it on. */
export class MutantResponse {
  /** The JSON body; undefined when it is none, `text` counts then. */
  body: unknown;

  constructor(
    public status: number,
    body: unknown,
    public headers: Record<string, string> = { 'content-type': 'application/json' },
    public text = '',
  ) {
    this.body = body;
  }

  static async from(response: Response): Promise<MutantResponse> {
    const text = await response.text();
    const headers = Object.fromEntries(response.headers);
    delete headers['content-length'];
    try {
      return new MutantResponse(response.status, JSON.parse(text), headers, text);
    } catch {
      return new MutantResponse(response.status, undefined, headers, text);
    }
  }

  /** 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** What stands in `r`; undefined without an envelope. */
  get r(): unknown {
    return isRecord(this.body) ? this.body.r : undefined;
  }

  set r(value: unknown) {
    this.body = isRecord(this.body) ? { ...this.body, r: value } : { r: value };
  }

  /** The record in the envelope, or the body itself where it is one without; an empty one otherwise. */
  get record(): LooseRecord {
    if (isRecord(this.r)) return this.r;
    return isRecord(this.body) ? this.body : {};
  }

  /** The members of the array in the envelope. */
  get list(): LooseRecord[] {
    return Array.isArray(this.r) ? (this.r as LooseRecord[]) : [];
  }

  /** An answer that is no JSON. */
  write(text: string, type = 'text/plain; charset=utf-8'): void {
    this.body = undefined;
    this.text = text;
    this.headers['content-type'] = type;
  }

  copy(): MutantResponse {
    return new MutantResponse(this.status, structuredClone(this.body), { ...this.headers }, this.text);
  }

  toResponse(): Response {
    const text = this.body === undefined ? this.text : JSON.stringify(this.body);
    const { status, headers } = this;
    const sent = { status, headers, body: text };
    if (isLight(sent)) return createLightResponse(sent);
    return new Response(status === 204 || status === 304 ? null : text, { status, headers });
  }
}

export function isRecord(value: unknown): value is LooseRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An error as the service writes them. */
export function createRefusal(status: number, detail = 'This cannot be done.'): MutantResponse {
  return new MutantResponse(status, { detail });
}
