import { join } from 'node:path';
import { afterEach } from 'vitest';
import { ClientRunner } from '../../../conformance/client/run/adapter/client-runner.js';
import type { Client, ClientRun } from '../../../conformance/client/types.js';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { createScenario } from './scenarios.js';

const ADAPTER = join(findPackageRoot(), 'test/support/client/persistent-adapter.mjs');
export const HANDSHAKE = { adapter: 1, language: 'node', isolation: 'none', time: 'real', other_job: true };
export const VIRTUAL_HANDSHAKE = { ...HANDSHAKE, isolation: 'process', time: 'virtual' };

/** Takes no time: the fault tests are about the process. */
export const short = createScenario([{ service: 'finish', status: 'done', output: 'It is cold.' }]);
/** Here the adapter has its fault. */
export const FAULTY = { ...short, name: 'fault' };

/** `fault`: what the adapter does in the scenario `fault`. */
export const listWords = (handshake: object, fault = '', client = 'reference'): string[] => [
  process.execPath,
  ADAPTER,
  JSON.stringify(handshake),
  fault,
  client,
];

export const readPid = ({ stderr }: ClientRun): number => Number(/\bpid (\d+)/.exec(stderr)?.[1]);

const opened: ClientRunner[] = [];

/** A runner that is closed after the test, and its notes. */
export function openRunner(client: Client): { runner: ClientRunner; notes: string[] } {
  const notes: string[] = [];
  const runner = new ClientRunner(client, (text) => notes.push(text));
  opened.push(runner);
  return { runner, notes };
}

export const openAdapter = (handshake: object, fault?: string) =>
  openRunner({ kind: 'command', command: listWords(handshake, fault) });

afterEach(() => Promise.all(opened.splice(0).map((runner) => runner.close())));
