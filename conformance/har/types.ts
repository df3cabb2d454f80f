import type { NetworkEffect } from '../../spec/vocabulary.js';

/** What is used of HAR 1.2. Fields that begin with an underscore are ours, as the format provides for. */
export interface Har {
  log: {
    version: string;
    creator: { name: string; version: string; comment?: string };
    entries: HarEntry[];
    comment?: string;
  };
}

export interface HarPair {
  name: string;
  value: string;
}

export interface HarEntry {
  /** ISO 8601. */
  startedDateTime: string;
  /** ms; -1 where there was no answer. */
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: HarPair[];
    headers: HarPair[];
    queryString: HarPair[];
    postData?: { mimeType: string; text: string };
    headersSize: number;
    bodySize: number;
  };
  response: {
    /** 0 where there was no answer. */
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: HarPair[];
    headers: HarPair[];
    content: { size: number; mimeType: string; text?: string; encoding?: string };
    redirectURL: string;
    headersSize: number;
    bodySize: number;
  };
  cache: Record<string, never>;
  timings: { send: number; wait: number; receive: number };
  _seq?: number;
  _kind?: string;
  _operation?: string;
  _organisation?: string;
  _task?: string;
  _scenario?: string;
  _network?: NetworkEffect[];
  _notes?: string[];
  /** How much of the bodies is not there, as in exchanges. */
  _left_out?: { request?: number | undefined; response?: number | undefined };
  /** ms as they were, finer than the format's. */
  _times?: { request: number; response?: number };
}
