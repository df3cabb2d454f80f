import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** What the last control did, or why it failed. */
export const outcome = signal<{ text: string; isError: boolean } | undefined>(undefined);

/** Shows the result of an action. `what`: the text, or a function that makes it from the result. */
export async function perform<T>(what: string | ((result: T) => string), action: Promise<T>): Promise<void> {
  outcome.value = await action.then(
    (result) => ({ text: typeof what === 'string' ? what : what(result), isError: false }),
    // The position is useless: it refers to JSON that the page wrote.
    (error: Error) => ({ text: error.message.replace(/^rules:\d+:\d+: /, ''), isError: true }),
  );
}

export function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

export function Button({
  label,
  onClick,
  isDisabled = false,
}: {
  label: string;
  onClick: () => void;
  isDisabled?: boolean;
}) {
  return (
    <button type="button" disabled={isDisabled} onClick={onClick}>
      {label}
    </button>
  );
}
