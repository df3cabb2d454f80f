import type { Exchange, Finding, NetworkEffect } from '../../spec/vocabulary.js';

/** A class of the style sheet. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'call' | 'reply' | 'result' | 'end';

/** A note under an arrow: an event of a response, or the content of a request. */
export interface Detail {
  tone: Tone;
  text: string;
  /** Connects a call with its replies, and an action with its results. */
  id: string | undefined;
}

export interface ExchangeRow {
  kind: 'exchange';
  seq: number;
  exchange: Exchange;
  /** px from the top, and the height. */
  y: number;
  height: number;
  time: string;
  request: string;
  /** Undefined: no response reached the client. */
  response: { text: string; tone: Tone } | undefined;
  /** `340 ms`; undefined if it took no time. */
  took: string | undefined;
  effects: readonly NetworkEffect[];
  /** Which message the network lost; undefined if none. */
  lost: 'request' | 'response' | undefined;
  isOpen: boolean;
  /** If the row shows the request or the response only, because other rows are between them. */
  part?: 'request' | 'response';
  sent: Detail | undefined;
  details: readonly Detail[];
  /** Findings with this exchange in their evidence. */
  findings: readonly Finding[];
  /** Sentences of the findings of which this is the last exchange. */
  sentences: readonly FindingSentence[];
}

/** A finding in a few words. */
export interface FindingSentence {
  sign: string;
  tone: 'bad' | 'advice';
  text: string;
}

/** Consecutive polls without news; or an action or a call with the polls that follow it. */
export interface FoldRow {
  kind: 'fold';
  y: number;
  height: number;
  rows: readonly ExchangeRow[];
  time: string;
  text: string;
  /** The findings of the rows, each once. */
  sentences: readonly FindingSentence[];
  /** Of an action or a call: what came of it, after how many polls and how long. */
  outcome?: { text: string; tone: Tone; took: string };
}

/** A row that is no exchange, such as a step of the service. */
export interface NoteRow {
  kind: 'note';
  y: number;
  height: number;
  time: string;
  text: string;
  tone: Tone;
}

export type SequenceRow = ExchangeRow | FoldRow | NoteRow;

export const HEAD_PX = 30;
/** From the top of a row, px: the arrow of the request, that of the response, the first line below them. */
export const REQUEST_Y = 20;
export const RESPONSE_Y = 44;
export const DETAILS_Y = 58;
export const DETAIL_PX = 18;
export const ARROWS_PX = 52;
export const FOLD_PX = 30;
export const ACTION_FOLD_PX = 24;
/** Height of a row, px. */
export function measureRow({ details, effects, sentences }: Omit<ExchangeRow, 'y' | 'height'>): number {
  return ARROWS_PX + (details.length + Number(effects.length > 0) + sentences.length) * DETAIL_PX;
}
