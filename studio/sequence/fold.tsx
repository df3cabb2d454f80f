import type { Lanes, RowProps } from './diagram.js';
import { CHARACTER_PX, chooseFindingClass, truncate } from './labels.js';
import type { FindingSentence, FoldRow } from './rows.js';

interface FoldProps extends Pick<RowProps, 'onUnfold'> {
  row: FoldRow;
  lanes: Lanes;
}

/** Several exchanges in one line: a click shows them. */
export function Fold({ row, lanes, onUnfold }: FoldProps) {
  const { client, service } = lanes;
  const unfold = () => onUnfold(row.rows[0]!.seq);
  return (
    <g
      class={['fold', chooseFindingClass(row.rows.flatMap(({ findings }) => findings))]
        .filter(Boolean)
        .join(' ')}
      role="button"
      // In SVG, Preact writes the name of the attribute as it is given.
      tabindex={0}
      transform={`translate(0 ${row.y})`}
      onClick={unfold}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.stopPropagation();
        unfold();
      }}
    >
      <rect x={client} y="2" width={service - client} height={row.height - 4} rx="4" />
      <text class="time" x="8" y={row.height / 2 + 4}>
        {row.time}
      </text>
      {row.outcome ? <ActionText row={row} lanes={lanes} /> : <PollsText row={row} lanes={lanes} />}
    </g>
  );
}

function PollsText({ row: { text, sentences, height }, lanes }: Omit<FoldProps, 'onUnfold'>) {
  return (
    <text class="middle" x={lanes.network} y={height / 2 + 4}>
      ↻ {text}
      <Sentences sentences={sentences} px={lanes.service - lanes.client - (text.length + 6) * CHARACTER_PX} />
    </text>
  );
}

/** The outcome has at most half of the width, a finding a third. */
function ActionText({ row: { text, sentences, height, outcome }, lanes }: Omit<FoldProps, 'onUnfold'>) {
  const { text: result, tone, took } = outcome!;
  const px = lanes.service - lanes.client - 40;
  const tookPx = (took.length + 1) * CHARACTER_PX;
  const outcomePx = Math.min(px / 2 - tookPx, (result.length + 1) * CHARACTER_PX);
  const findingPx = sentences.length > 0 ? px * 0.3 : 0;
  const y = height / 2 + 4;
  return (
    <>
      <text class="action" x={lanes.client + 10} y={y}>
        {truncate(text, px - outcomePx - tookPx - findingPx)}
        <Sentences sentences={sentences} px={findingPx} />
      </text>
      <text class={`end ${tone}`} x={lanes.service - 10} y={y}>
        {truncate(result, outcomePx)}
        {took && <tspan class="took"> {took}</tspan>}
      </text>
    </>
  );
}

function Sentences({ sentences, px }: { sentences: readonly FindingSentence[]; px: number }) {
  const [first] = sentences;
  if (!first) return null;
  const more = sentences.length > 1 ? ` +${sentences.length - 1}` : '';
  const text = truncate(`${first.sign} ${first.text}`, px - (more.length + 2) * CHARACTER_PX);
  return (
    <tspan class={first.tone}>
      {'  '}
      {text}
      {more}
    </tspan>
  );
}
