import { real } from '../platform.js';
import type { Call } from './client-requests.js';
import { clientNow, enter, type Running } from './context.js';

type Fetch = (...args: Parameters<typeof globalThis.fetch>) => Promise<Response>;

/** Of so many answers one takes a turn of the loop: else a client that never pauses would never let go. */
const ANSWERS_A_TURN = 16;

let answers = 0;

/** Hands an answer on to the client of a run, and nothing any more once the run is over. */
function handOver<T>(run: Running, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const hand = (settle: (value: never) => void) => (value: unknown) => {
      const now = () => {
        if (!run.isOver) settle(value as never);
      };
      if (++answers % ANSWERS_A_TURN === 0) real.setImmediate(now);
      else now();
    };
    answer.then(hand(resolve), hand(reject));
  });
}

/** The same for whoever asks: nothing changes outside of a run. */
export function handOverHere<T>(answer: Promise<T>): Promise<T> {
  const run = clientNow();
  return run ? handOver(run, answer) : answer;
}

/**
 * The global `fetch` as a client in a run gets it. What is beyond, of the platform or of MSW, is in real time: its own
 * time-outs and connections outlive the run and belong to others too. `target` is what to call.
 */
export function fetchInRun(target: () => Fetch, base: () => Fetch): Fetch {
  return function fetch(...args) {
    const run = clientNow();
    // MSW may have taken this for the platform's own: from within its `fetch` it has to lead on.
    if (!run) return base()(...args);
    const call: Call = { origin: originOf(args[0]), isSettled: false, requests: new Set() };
    run.requests.begin(call);
    const answer = enter({ run, call }, () => callOf(target(), args));
    const settled = () => run.requests.settle(call);
    answer.then(settled, settled);
    return handOver(run, answer);
  };
}

async function callOf(fetch: Fetch, args: Parameters<Fetch>): Promise<Response> {
  return fetch(...args);
}

function originOf(input: Parameters<Fetch>[0]): string {
  const address = typeof input === 'string' || input instanceof URL ? String(input) : input?.url;
  return URL.canParse(address) ? new URL(address).origin : String(address);
}
