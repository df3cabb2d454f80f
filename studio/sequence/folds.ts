import type { Finding } from '../../spec/vocabulary.js';
import { formatCount, formatDuration } from '../parts/format.js';
import { summarizeFindings } from './finding-text.js';
import { ACTION_FOLD_PX, type ExchangeRow, FOLD_PX, type FoldRow, type SequenceRow } from './rows.js';

/** Fewer consecutive polls are not folded. */
const LEAST_FOLDED = 3;

/** Replaces consecutive polls without news and with the same advice by a fold. The rows of an open fold follow it. */
export function foldQuiet(all: readonly SequenceRow[], unfolded: ReadonlySet<number>): SequenceRow[] {
  const rows: SequenceRow[] = [];
  for (let at = 0; at < all.length; ) {
    const quiet: ExchangeRow[] = [];
    let advice = '';
    for (let row = all[at]; row?.kind === 'exchange' && isQuiet(row); row = all[at + quiet.length]) {
      const its = listRules(row);
      // The first polls of a run do not have its advice yet.
      if (its !== '' && advice !== '' && its !== advice) break;
      if (its !== '') advice = its;
      quiet.push(row);
    }
    if (quiet.length >= LEAST_FOLDED) {
      rows.push(toQuietFold(quiet));
      if (unfolded.has(quiet[0]!.seq)) for (const row of quiet) rows.push(row);
      at += quiet.length;
    } else rows.push(all[at++]!);
  }
  return rows;
}

function listRules({ findings }: ExchangeRow): string {
  return [...new Set(findings.map(({ rule }) => rule))].sort().join(' ');
}

/** True for a poll without news, with or without advice. Findings about the pace repeat at each poll, whatever their level. */
export function isQuiet({ exchange, details, effects, findings, isOpen, part }: ExchangeRow): boolean {
  const isPoll =
    exchange.kind === 'poll' && isNothingNew(exchange.response?.status) && !isOpen && part === undefined;
  return (
    isPoll &&
    details.length + effects.length === 0 &&
    findings.every(({ rule, level }) => level === 'advice' || rule === 'polling/pace')
  );
}

/** After the end of a task, polls get 200. */
function isNothingNew(status: number | undefined): boolean {
  return status === 202 || status === 200;
}

function toQuietFold(rows: ExchangeRow[]): FoldRow {
  const time = rows[0]!.time;
  const statuses = [...new Set(rows.map(({ exchange }) => exchange.response!.status))];
  const text = `${rows.length} polls, ${statuses.join(' and ')}, nothing new`;
  return { kind: 'fold', y: 0, height: FOLD_PX, rows, time, text, sentences: collectSentences(rows) };
}

/** One sentence for each rule: the advice of a run of polls may be given several times. */
function collectSentences(rows: readonly ExchangeRow[]): FoldRow['sentences'] {
  const byRule = new Map<string, Finding>();
  for (const { findings } of rows) for (const finding of findings) byRule.set(finding.rule, finding);
  const bySeq = new Map(rows.map(({ exchange }) => [exchange.seq, exchange]));
  return summarizeFindings([...byRule.values()], bySeq);
}

/** Replaces each action or call, with the polls that follow it, by a fold. The rows of an open fold follow it. */
export function foldActions(all: readonly ExchangeRow[], unfolded: ReadonlySet<number>): SequenceRow[] {
  const outcomes = findOutcomes(all);
  return groupByAction(all).flatMap((rows) => {
    const isOpen = unfolded.has(rows[0]!.seq);
    return [toActionFold(rows, outcomes), ...(isOpen ? foldQuiet(rows, unfolded) : [])];
  });
}

function groupByAction(all: readonly ExchangeRow[]): ExchangeRow[][] {
  const groups: ExchangeRow[][] = [];
  let ids = new Set<string>();
  for (const row of all) {
    const { exchange, sent, details } = row;
    const hasNews = details.some(({ tone }) => tone === 'call' || tone === 'end');
    const isStart = exchange.kind === 'poll' ? hasNews : sent?.id === undefined || !ids.has(sent.id);
    if (isStart || groups.length === 0) {
      groups.push([]);
      ids = new Set();
    }
    groups.at(-1)!.push(row);
    for (const id of [sent?.id, ...details.map((detail) => (detail.tone === 'call' ? detail.id : undefined))])
      if (id !== undefined) ids.add(id);
  }
  return groups;
}

interface ActionOutcome {
  text: string;
  tone: NonNullable<FoldRow['outcome']>['tone'];
  /** ms. */
  at: number;
}

/** The first reply to each call, the first result of each action, by the id of the event. */
function findOutcomes(all: readonly ExchangeRow[]): Map<string, ActionOutcome> {
  const outcomes = new Map<string, ActionOutcome>();
  for (const { exchange, sent, details } of all) {
    const { request, response } = exchange;
    if (exchange.kind === 'reply' && sent?.id !== undefined && !outcomes.has(sent.id))
      outcomes.set(sent.id, { text: sent.text, tone: 'reply', at: request.at });
    for (const { tone, id, text } of details)
      if (tone === 'result' && id !== undefined && !outcomes.has(id))
        outcomes.set(id, { text, tone: 'result', at: response?.at ?? request.at });
  }
  return outcomes;
}

function toActionFold(rows: readonly ExchangeRow[], outcomes: ReadonlyMap<string, ActionOutcome>): FoldRow {
  const [first] = rows as [ExchangeRow];
  const { sent, details, response, exchange } = first;
  const news =
    exchange.kind === 'poll' ? details.filter(({ tone }) => tone === 'call' || tone === 'end') : [];
  const subject = news[0] ?? sent;
  const outcome = subject?.id === undefined ? undefined : outcomes.get(subject.id);
  const polls = rows.filter((row) => row.exchange.kind === 'poll').length;
  const isRequest = exchange.kind !== 'action' && news.length === 0;
  const parts = [
    isRequest ? `${first.request}  ${sent?.text ?? ''}`.trim() : '',
    isRequest
      ? ''
      : [...news, ...(news.length === 0 && sent ? [sent] : [])].map(({ text }) => text).join(' · '),
    rows.some(({ effects }) => effects.length > 0) ? '⚡' : '',
  ];
  const took = [
    rows.length > 1 && polls > 0 ? formatCount(polls, 'poll') : '',
    outcome && outcome.at > exchange.request.at ? formatDuration(outcome.at - exchange.request.at) : '',
  ]
    .filter(Boolean)
    .join(' · ');
  const text = outcome?.text ?? (news.length > 0 ? '' : response?.text);
  return {
    kind: 'fold',
    y: 0,
    height: ACTION_FOLD_PX,
    rows,
    time: first.time,
    text: parts.filter(Boolean).join('  '),
    sentences: collectSentences(rows),
    outcome: {
      text: text ?? 'no response',
      took,
      tone: outcome?.tone ?? response?.tone ?? 'bad',
    },
  };
}
