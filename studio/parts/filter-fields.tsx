import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { filterText } from '../selection.js';

/** Filters a list by a text; `/` leads to it. */
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
  /** The value of the option that is chosen. */
  chosen: Signal<string>;
  /** Options. */
  children: ComponentChildren;
}

/** Filters a list by one of several values. */
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
