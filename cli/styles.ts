import pico from 'picocolors';

/** Text in colour for a terminal; as it is for files and pipes, and where NO_COLOR is set. */
export function styles(stream: { isTTY?: boolean }): ReturnType<typeof pico.createColors> {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  return pico.createColors(!NO_COLOR && (forced || (stream.isTTY === true && TERM !== 'dumb')));
}
