import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FolderWatch } from './folder-watch.js';

/** A watch whose timers run out when `pass` is called. */
function createWatch(folder = '/work') {
  let changes = 0;
  const timers = new Set<() => void>();
  const watch = new FolderWatch(folder, () => changes++, {
    set: (callback) => {
      timers.add(callback);
      return callback;
    },
    clear: (timer) => void timers.delete(timer as () => void),
  });
  onTestFinished(() => watch.close());
  const pass = () => {
    for (const timer of [...timers]) {
      timers.delete(timer);
      timer();
    }
    return changes;
  };
  return { watch, pass, countTimers: () => timers.size };
}

it('reports several changes at once as one', () => {
  const { watch, pass } = createWatch();
  for (const name of ['client.py', 'client.py', 'other.py']) watch.note('/work', name);
  expect(pass()).toBe(1);
  expect(pass()).toBe(1);
  watch.note('/work', 'client.py');
  expect(pass()).toBe(2);
});

it('ignores hidden files, node_modules and what happens during a pause', () => {
  const { watch, pass, countTimers } = createWatch();
  for (const name of ['.git', '.client.py.swp', 'node_modules', '__pycache__']) watch.note('/work', name);
  watch.pause();
  watch.note('/work', 'client.py');
  watch.resume();
  // A message that arrives late.
  watch.note('/work', 'client.py');
  expect([countTimers(), pass()]).toEqual([1, 0]);
  watch.note('/work', 'client.py');
  expect(pass()).toBe(1);
});

it('watches folders within folders, also new ones', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'taskdouble-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'node_modules/x'), { recursive: true });
  const { watch, pass } = createWatch(folder);
  await watch.open();
  writeFileSync(join(folder, 'node_modules/x/index.js'), '1');
  expect(pass()).toBe(0);
  writeFileSync(join(folder, 'src/client.py'), '1');
  await expect.poll(pass).toBe(1);
  mkdirSync(join(folder, 'src/new'));
  await expect.poll(pass).toBeGreaterThan(1);
  let n = 0;
  const before = pass();
  await expect
    .poll(() => {
      writeFileSync(join(folder, 'src/new/client.py'), String(n++));
      return pass();
    })
    .toBeGreaterThan(before);
});
