import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** The last thing that a control did, or why it could not. */
export const outcome = signal<{ text: string; isError: boolean } | undefined>(undefined);

/** `what`: what the action has done, in words, or makes the words from its result. */
export async function perform<T>(what: string | ((result: T) => string), action: Promise<T>): Promise<void> {
  outcome.value = await action.then(
    (result) => ({ text: typeof what === 'string' ? what : what(result), isError: false }),
    // The position is one in JSON that the page has written.
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
