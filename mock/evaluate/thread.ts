/** The thread of `ScriptThread`: receives scripts and sends their outcomes. */
import { parentPort } from 'node:worker_threads';
import type { Script } from '../engine/tasks/page.js';
import { loadInterpreter, runHere } from './run-here.js';

const port = parentPort!;
// If loading fails, the outcome of each script is the reason.
await loadInterpreter().catch(() => {});
port.on('message', async (script: Script) => port.postMessage(await runHere(script)));
port.postMessage('ready');
