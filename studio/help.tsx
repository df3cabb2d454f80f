import { useEffect, useRef } from 'preact/hooks';

const KEYS = [
  ['↓ ↑', 'next or previous task; with an exchange selected, exchange'],
  ['→ Enter', 'into the task, to its last exchange'],
  ['← Escape', 'back'],
  ['/', 'filter the tasks; Escape clears the filter'],
  ['space', 'stay at the end while exchanges arrive, or stop that'],
  ['+ - 0', 'larger, smaller, original size of the diagram'],
  ['?', 'this list'],
] as const;

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label="Keyboard" onClose={onClose}>
      <h2>Keyboard</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <h2>Reading the diagram</h2>
      <p>
        <span class="call">⚙ violet</span>: calls of tools and what belongs to them; a violet line joins a
        call with its replies. <span class="bad">✕</span>: lost on the way. ❚❚: held or delayed by the
        network. ⚡: what a network rule did. A dashed line: what the other side did not get. A red dot: a
        broken rule. A blue dot: advice, which is no failure.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
