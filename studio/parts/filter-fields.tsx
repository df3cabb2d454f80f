import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { filterText } from '../selection.js';

/** The key `/` moves the focus here. */
export function TextFilter() {
  return (
    <input
      id="filter"
      type="search"
      placeholder="Filter ( / )"
      aria-label="Filter by text"
      value={filterText.value}
      onInput={({ currentTarget }) => {
        filterText.value = currentTarget.value;
      }}
    />
  );
}

interface ChoiceFilterProps {
  label: string;
  /** Value of the selected option. */
  chosen: Signal<string>;
  children: ComponentChildren;
}

export function ChoiceFilter({ label, chosen, children }: ChoiceFilterProps) {
  return (
    <select
      aria-label={label}
      value={chosen.value}
      onChange={({ currentTarget }) => {
        chosen.value = currentTarget.value;
      }}
    >
      {children}
    </select>
  );
}
