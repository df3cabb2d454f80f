import { toOneLine } from '../../spec/visible.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { formatInline } from '../parts/format.js';
import { groupByLevel } from '../parts/group-by-level.js';
import { readExchange } from './exchange-row.js';
import type { FindingSentence } from './rows.js';

/** By `seq` of their evidence. */
export function groupFindings(findings: readonly Finding[]): Map<number, Finding[]> {
  const found = new Map<number, Finding[]>();
  for (const finding of findings)
    for (const seq of finding.evidence) {
      const those = found.get(seq);
      if (those) those.push(finding);
      else found.set(seq, [finding]);
    }
  return found;
}

/** Broken rules first. */
export function summarizeFindings(
  findings: readonly Finding[],
  bySeq: ReadonlyMap<number, Exchange>,
): FindingSentence[] {
  return groupByLevel(findings).flatMap(({ sign, tone, findings: its }) =>
    its.map((finding) => ({ sign, tone, text: summarizeFinding(finding, bySeq) })),
  );
}

/** A finding in a sentence: "the tool ran twice: 9, then 10". `bySeq`: the exchanges of the conversation. */
export function summarizeFinding(
  { rule, message, evidence }: Finding,
  bySeq: ReadonlyMap<number, Exchange>,
): string {
  const replies = rule === 'replies/same-again' ? evidence.map((seq) => readReply(bySeq.get(seq))) : [];
  if (replies.length > 1 && replies.every((each) => each?.code === 200 && each.output !== undefined))
    return `the tool ran ${formatTimes(replies.length)}: ${replies.map((each) => formatInline(each!.output, 30)).join(', then ')}`;
  // The rest of a message says what to do.
  const [first] = /^.+?[.!?](?=\s+\p{Lu})/su.exec(message) ?? [message];
  return toOneLine(first).replace(/\.$/, '');
}

function formatTimes(count: number): string {
  return count === 2 ? 'twice' : `${count} times`;
}

function readReply(exchange: Exchange | undefined) {
  return exchange && readExchange(exchange).reply?.payload;
}
