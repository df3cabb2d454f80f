/** Prints as JSON how the first run of a process has changed the platform, compared with the state before the mock was loaded. */
// Node.js itself defines some globals at first use.
await fetch('data:,');
void [AbortController, process.allowedNodeEnvironmentFlags];
// Simulates a context without Web Crypto.
if (process.argv.includes('--without-crypto')) Reflect.deleteProperty(globalThis, 'crypto');
const { listDifferences: differences, readPlatformState: platformState } = await import(
  './platform-state.js'
);
const before = platformState();

const { Mock } = await import('../../../mock/mock.js');
const mock = new Mock({ clock: 'manual' });
const { baseUrl } = await mock.listen();
await mock.time.run(async () => {
  await (await fetch(`${baseUrl}/api/v1/usage`, { headers: { apikey: 'demo' } })).text();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
});
const during = await mock.time.run(() => differences(before));
await mock.time.run(() => Promise.reject(new Error('no'))).catch(() => {});
await mock.close();
process.stdout.write(JSON.stringify({ during, after: differences(before) }));

export {};
