import type { Exchange } from '../../../spec/vocabulary.js';
import { admin } from '../../live/admin-client.js';
import { Button, outcome, perform } from '../control-parts.js';
import { TARGETS } from './fault-form/fault-fields.js';

interface ExchangeFault {
  label: string;
  /** Shorthand of a network rule. */
  rule: string;
}

/** The faults that can meet the next request of the same kind. */
export function faultsFor({ kind, operation }: Pick<Exchange, 'kind' | 'operation'>): ExchangeFault[] {
  const target = (TARGETS as readonly string[]).includes(kind) ? kind : operation;
  if (target === undefined) return [];
  return [
    { label: 'Drop the response', rule: `drop response of ${target} times 1` },
    { label: 'Hold', rule: `hold of ${target} until studio times 1` },
    { label: 'Delay by 5 s', rule: `delay 5s of ${target} times 1` },
    { label: 'Fail with 503', rule: `fail 503 of ${target} times 1` },
  ];
}

/** Buttons that add a fault for the next request of this kind, of the same organisation. */
export function ExchangeFaults({ exchange }: { exchange: Exchange }) {
  const faults = faultsFor(exchange);
  if (faults.length === 0) return null;
  return (
    <details>
      <summary>Fault for the next {exchange.kind}</summary>
      <div class="line">
        {faults.map(({ label, rule }) => (
          <Button
            key={label}
            label={label}
            isSmall
            onClick={() =>
              perform(`added "${rule}"`, admin.addRules({ organisation: exchange.organisation }, rule))
            }
          />
        ))}
      </div>
      <p class="soft" role="status">
        {outcome.value?.text}
      </p>
    </details>
  );
}
