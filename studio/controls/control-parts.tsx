import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** The last thing that a control did, or why it could not. */
export const outcome = signal<{ text: string; isError: boolean } | undefined>(undefined);

export async function perform(what: string, action: Promise<unknown>): Promise<void> {
  outcome.value = await action.then(
    () => ({ text: what, isError: false }),
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
