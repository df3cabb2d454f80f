import type { NetworkEffect } from '../../spec/vocabulary.js';
import type { Lanes } from './diagram.js';
import { type ExchangeRow, REQUEST_Y, RESPONSE_Y } from './rows.js';

/** A delayed message continues this much lower, px. */
const DELAYED_PX = 5;

interface ArrowProps {
  row: ExchangeRow;
  lanes: Lanes;
}

/** The arrow ends where the network stopped the request. */
export function RequestArrow({
  row: { effects, lost, isOpen },
  lanes: { client, network, service },
}: ArrowProps) {
  const own = effects.filter(({ side }) => side === 'request');
  const hasEffect = (effect: NetworkEffect['effect']) => own.some((each) => each.effect === effect);
  const y = REQUEST_Y;
  if (lost === 'request' || hasEffect('replaced'))
    return (
      <>
        <path class="arrow" d={`M${client} ${y}H${network - 7}`} />
        {lost === 'request' ? (
          <Cross x={network} y={y} />
        ) : (
          <path class="turn" d={`M${network} ${y}V${RESPONSE_Y}`} />
        )}
      </>
    );
  if (hasEffect('delayed'))
    return (
      <>
        <path class="arrow" d={`M${client} ${y}H${network}`} />
        <Pause x={network} y={y} />
        {!isOpen && <path class="arrow" d={`M${network} ${y + DELAYED_PX}H${service - 7}`} />}
        {!isOpen && <Head x={service} y={y + DELAYED_PX} way={1} />}
      </>
    );
  return (
    <>
      <path class="arrow" d={`M${client} ${y}H${service - 7}`} />
      <Head x={service} y={y} way={1} />
      {hasEffect('duplicated') && <path class="arrow twice" d={`M${network} ${y}v7H${service - 7}`} />}
      {hasEffect('duplicated') && <Head x={service} y={y + 7} way={1} tone="warn" />}
    </>
  );
}

/** The arrow starts at the service, or at the network if that replaced the response, and ends where the response was lost. */
export function ResponseArrow({ row, lanes: { client, network, service } }: ArrowProps) {
  const { response, effects, lost, isOpen } = row;
  const findEffect = (effect: NetworkEffect['effect']) => effects.find((each) => each.effect === effect);
  const replaced = findEffect('replaced');
  const isDelayed = effects.some(({ effect, side }) => effect === 'delayed' && side === undefined);
  const y = RESPONSE_Y;
  if (lost === 'response')
    return (
      <>
        <path class="arrow bad" d={`M${service} ${y}H${network + 6}`} />
        <Cross x={network} y={y} />
      </>
    );
  if (!response)
    return isOpen && isDelayed ? (
      <>
        <path class="arrow open" d={`M${service} ${y}H${network}`} />
        <Pause x={network} y={y} />
      </>
    ) : null;
  const { tone } = response;
  const end = isDelayed ? y + DELAYED_PX : y;
  const cutAt = findEffect('cut') && Math.round((client + network) / 2);
  return (
    <>
      {replaced?.side === undefined && (
        <path class={`arrow ${replaced ? 'open' : tone}`} d={`M${service} ${y}H${network}`} />
      )}
      {isDelayed && <Pause x={network} y={y} />}
      <path class={`arrow ${tone}`} d={`M${network} ${end}H${cutAt ?? client + 7}`} />
      {cutAt !== undefined && <path class="arrow open" d={`M${cutAt} ${end}H${client + 7}`} />}
      {cutAt !== undefined && <Cross x={cutAt} y={end} />}
      <Head x={client} y={end} way={-1} tone={tone} />
      {(replaced || findEffect('changed')) && <circle class="replaced" cx={network} cy={end} r="4" />}
    </>
  );
}

function Head({ x, y, way, tone = '' }: { x: number; y: number; way: 1 | -1; tone?: string }) {
  return <path class={`head ${tone}`} d={`M${x} ${y}l${-8 * way} -4v8z`} />;
}

/** A message waits here. */
function Pause({ x, y }: { x: number; y: number }) {
  return (
    <>
      <path class="turn" d={`M${x} ${y}v${DELAYED_PX}`} />
      <rect class="pause" x={x - 7} y={y - 6} width="14" height="12" rx="3" />
      <path class="bars" d={`M${x - 2.5} ${y - 3}v6m5 0v-6`} />
    </>
  );
}

function Cross({ x, y }: { x: number; y: number }) {
  return <path class="cross" d={`M${x - 6} ${y - 6}l12 12m0 -12l-12 12`} />;
}
