import { real } from './real.js';

/** How often the lateness of timers is measured, ms. */
const SAMPLE_MS = 50;

/** Calls `onSample` with the lateness of each timer, ms: how long the machine lets this process wait. Returns a function that stops it. */
export function watchLateness(onSample: (lateness_ms: number) => void): () => void {
  let due = real.performanceNow() + SAMPLE_MS;
  const takeSample = () => {
    onSample(Math.max(0, real.performanceNow() - due));
    due = real.performanceNow() + SAMPLE_MS;
  };
  const timer = real.setInterval(takeSample, SAMPLE_MS);
  timer.unref();
  return () => {
    real.clearInterval(timer);
    // A timer that is overdue now is late, too.
    takeSample();
  };
}
