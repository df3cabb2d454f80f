import { useMemo } from 'preact/hooks';
import { ReadExchange } from '../../conformance/conversation/read-exchange.js';
import type { TaskSummary } from '../../mock/control/views.js';
import { toVisible } from '../../spec/visible.js';
import { type Exchange, type Finding, isActive } from '../../spec/vocabulary.js';
import { formatCount, formatDuration, formatInline } from '../parts/format.js';
import { groupByLevel, type LevelFindings } from '../parts/group-by-level.js';
import { formatKeyName } from '../parts/key-name.js';
import { selectedExchange } from '../selection.js';
import { summarizeFinding } from '../sequence/finding-text.js';
import './conversation.css';

interface ConversationHeaderProps {
  task: TaskSummary;
  exchanges: readonly Exchange[];
  findings: readonly Finding[];
  /** ms; for the duration of a task that runs. */
  now?: number | undefined;
  /** What the mock knows of a task that is over, before a response shows it. */
  known?: TaskResult | undefined;
  /** Label of a task without a scenario; undefined if the scenarios are unknown. */
  withoutScenario?: string | undefined;
}

export interface TaskResult {
  output: unknown;
  credits: unknown;
}

/** What a conversation is about, and what has become of it. */
export function ConversationHeader({
  task,
  exchanges,
  findings,
  now = 0,
  known,
  withoutScenario,
}: ConversationHeaderProps) {
  const { title, status, organisation, scenario, misfit, polls } = task;
  const { created_at: createdAt, finished_at: finishedAt } = task;
  const isOver = !isActive(status);
  const polled = useMemo(() => (isOver ? readResult(exchanges) : undefined), [exchanges, isOver]);
  const result: TaskResult | undefined = polled ?? (isOver ? known : undefined);
  const bySeq = useMemo(() => new Map(exchanges.map((each) => [each.seq, each])), [exchanges]);
  const name = scenario ?? withoutScenario;
  return (
    <header class="about">
      <h2 dir="auto" title={toVisible(title, 200)}>
        {toVisible(title.trim(), 200) || '(no text)'}
      </h2>
      <p class="facts">
        <span class={`status ${status}`}>{toVisible(status, 40)}</span>
        <span>{formatDuration(Math.max(0, (finishedAt ?? Math.max(now, createdAt)) - createdAt))}</span>
        <span title={organisation}>{toVisible(formatKeyName(organisation), 60)}</span>
        {name && <span>{scenario === null ? name : `scenario ${toVisible(name, 120)}`}</span>}
        {misfit && <span class="warn">does not fit the request: {toVisible(misfit, 200)}</span>}
        <span>{formatCount(polls, 'poll')}</span>
        {typeof result?.credits === 'number' && <span>{formatCount(result.credits, 'credit')}</span>}
        {result && <Output output={result.output} seq={polled?.seq} />}
        {groupByLevel(findings).flatMap((level) =>
          groupByRule(level.findings).map((its) => (
            <FindingChip
              key={its[0]!.rule}
              level={level}
              findings={its}
              text={summarizeFinding(its[0]!, bySeq)}
            />
          )),
        )}
      </p>
    </header>
  );
}

/** `seq`: the exchange that has it; undefined if the client has not polled it yet. */
function Output({ output, seq }: { output: unknown; seq: number | undefined }) {
  const text = (
    <>
      output <code>{formatInline(output, 160)}</code>
    </>
  );
  if (seq === undefined) return <span class="output">{text}, not polled yet</span>;
  return (
    <button
      type="button"
      class="output"
      title="Shows the response that has it"
      onClick={() => {
        selectedExchange.value = seq;
      }}
    >
      {text}
    </button>
  );
}

/** The last response with the terminal status, which has the output. */
export function readResult(exchanges: readonly Exchange[]): (TaskResult & { seq: number }) | undefined {
  for (const exchange of exchanges.toReversed()) {
    const { record, status, seq } = new ReadExchange(exchange);
    if (!record || status === undefined || isActive(status)) continue;
    return { seq, output: record.output ?? null, credits: record.credits_used };
  }
  return undefined;
}

function groupByRule(findings: readonly Finding[]): Finding[][] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return rules.map((rule) => findings.filter((each) => each.rule === rule));
}

interface FindingChipProps {
  level: LevelFindings;
  /** Of one rule. */
  findings: readonly Finding[];
  text: string;
}

/** Each click selects the next exchange that shows a finding. */
function FindingChip({ level: { sign, tone }, findings, text }: FindingChipProps) {
  const seqs = [...new Set(findings.flatMap(({ evidence }) => evidence))].sort((one, other) => one - other);
  const at = seqs.indexOf(selectedExchange.value ?? Number.NaN);
  const select = () => {
    selectedExchange.value = seqs[(at + 1) % seqs.length];
  };
  return (
    <button
      type="button"
      class={`badge chip ${tone}`}
      title={toVisible([findings[0]!.rule, ...findings.map(({ message }) => message)].join('\n'), 600)}
      disabled={seqs.length === 0}
      onClick={select}
    >
      <span class="text">
        {sign} {toVisible(text, 200)}
      </span>{' '}
      <span class="count">{at === -1 ? seqs.length : `${at + 1} of ${seqs.length}`}</span>
    </button>
  );
}
