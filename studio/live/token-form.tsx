import { useEffect, useRef, useState } from 'preact/hooks';
import { isTokenRefused, saveToken } from './admin-token.js';

export function TokenForm() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (text !== '') saveToken(text);
  };
  return (
    <main class="token-form">
      <h1>taskdouble studio</h1>
      <p>This mock was started with an admin token. This tab keeps it until you close it.</p>
      <form class="line" onSubmit={submit}>
        <label>
          Admin token{' '}
          <input
            type="password"
            autocomplete="off"
            ref={field}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Open studio
        </button>
      </form>
      <p class="bad" role="alert">
        {isTokenRefused.value && 'The mock refused this token. Enter the one that follows --admin-token.'}
      </p>
    </main>
  );
}
