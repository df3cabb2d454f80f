import { createHeaderRedactor, redactUrl } from '../../../spec/redact.js';
import type { NetworkEffect } from '../../../spec/vocabulary.js';
import type { JournalEntry } from '../../exchange/journal-entry.js';

/** An exchange without headers and bodies, for lists. The journal has the complete exchange. */
export interface ExchangeSummary {
  seq: number;
  organisation: string;
  kind: string;
  operation?: string | undefined;
  task?: string | undefined;
  scenario?: string | undefined;
  method: string;
  url: string;
  /** ms of the organisation's clock. */
  at: number;
  /** 0: the client never got a response. Absent while the exchange is under way: it is sent again when it is complete. */
  status?: number;
  /** ms of the organisation's clock. */
  responded_at?: number;
  network?: NetworkEffect[] | undefined;
}

export function summarizeExchange(entry: JournalEntry, organisation: string): ExchangeSummary {
  const { seq, kind, operation, task, scenario, method, url, at, status, respondedAt, network, isOver } =
    entry;
  const redact = createHeaderRedactor(entry.headers);
  return {
    seq,
    organisation,
    kind,
    operation,
    task,
    scenario,
    method,
    url: redact(redactUrl(url)),
    at,
    network,
    ...(isOver && { status }),
    ...(status !== 0 && { responded_at: respondedAt }),
  };
}
