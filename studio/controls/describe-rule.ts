import type { NetworkRule } from '../../scenarios/format/types.js';
import { toVisible } from '../../spec/visible.js';

/** A rule as one writes it in the shorthand, near enough for a list: `fail 503 of poll times 1`. */
export function describeRule({ network, ...fields }: NetworkRule): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    // Where it stands in a scenario.
    if (value === undefined || name === 'id' || name === 'line') return [];
    const unit = /_(ms|s)$/.exec(name)?.[1] ?? '';
    const label = name.replace(/_(ms|s)$/, '');
    return [`${label} ${describeValue(value)}${unit}`];
  });
  return toVisible([network, ...parts].join(' '), 200);
}

function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => (inner === true ? name : `${name} ${describeValue(inner)}`))
    .join(' ');
}
