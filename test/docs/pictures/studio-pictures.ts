import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Page, chromium as playwright, type Route } from 'playwright-core';
import { clientRules } from '../../../conformance/rules/client-rules.js';
import { judgeExchanges } from '../../../conformance/rules/judge.js';
import { Mock } from '../../../mock/mock.js';
import { chromium } from '../../support/report/browser.js';
import { type AnimationFrame, encodePng } from './encode-png.js';
import { PageRecorder } from './recorder.js';

const FOLDER = join(import.meta.dirname, '../../../docs/pictures');
const KEY = 'demo';
const PORT = 4010;

/**
 * Writes docs/pictures/lost-reply.png, an animation of the first minute in studio, one of its frames as a still picture, the
 * same for dark pages, and studio.png. Fonts differ between machines, so that nothing compares the pixels. Says so where there is
 * no browser.
 */
export async function takeStudioPictures(): Promise<void> {
  if (chromium === undefined) {
    console.warn(`No Chromium here: the pictures of studio in ${FOLDER} stay as they are.`);
    return;
  }
  const browser = await playwright.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  try {
    for (const colorScheme of ['light', 'dark'] as const) await takeInColors(browser, colorScheme);
  } finally {
    await browser.close();
  }
}

async function takeInColors(browser: Browser, colorScheme: 'light' | 'dark'): Promise<void> {
  const mock = new Mock({
    clock: 'manual',
    seed: 1,
    judge: (all) => judgeExchanges(clientRules, all).findings(),
  });
  try {
    const { baseUrl } = await mock.listen({ port: PORT }).catch(() => mock.listen({ port: 0 }));
    const narrow = { viewport: { width: 960, height: 600 }, deviceScaleFactor: 1.5 };
    const page = await browser.newPage({ ...narrow, colorScheme, bypassCSP: true });
    const { frames, still } = await recordLostReply(page, baseUrl, mock);
    const suffix = colorScheme === 'dark' ? '-dark' : '';
    write(`lost-reply${suffix}.png`, encodePng(frames));
    write(`lost-reply-still${suffix}.png`, encodePng([still]));
    if (colorScheme === 'light') write('studio.png', encodePng([await takeFinding(browser, baseUrl)]));
  } finally {
    await mock.close();
  }
}

/** A fault, a hasty client, the lost response, a second reply, the finding. The clock of the mock stands still between them. */
async function recordLostReply(page: Page, baseUrl: string, mock: Mock) {
  const requests = await holdRequests(page);
  await page.goto(baseUrl);
  await page.getByText('live', { exact: true }).waitFor();
  const recorder = new PageRecorder(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Lets the next request of the client through after this time of the mock. */
  const release = async (advance: string, appears: string) => {
    await requests.wait();
    const body = JSON.stringify({ advance });
    await mock.fetch(`${baseUrl}/__admin/clock?key=${KEY}`, { method: 'POST', body });
    await requests.release();
    await page.locator(appears).first().waitFor();
    // Where the page grows while it scrolls, studio takes that for the user who scrolls up.
    if ((await button('Follow').getAttribute('aria-pressed')) !== 'true') await button('Follow').click();
    await page.getByRole('button', { name: /^↓ \d+ new$/ }).waitFor({ state: 'detached' });
  };

  await button('Controls').click();
  await recorder.prepare(420, 330);
  await recorder.say('Choose a fault: the response to a reply is lost');
  await recorder.hold(1000);
  await recorder.click(button('Drop the response to the next reply'));
  await page.locator('.controls [role="status"] .good').waitFor();
  await recorder.hold(600);
  await recorder.click(button('Controls'));
  await recorder.say('Run a client');
  await recorder.click(button('Run a hasty client'));
  await requests.release();
  await page.locator('.diagram .row').waitFor();
  await recorder.hold(500);
  await release('700ms', '.diagram .call');
  await recorder.hold(600);
  await recorder.say('Its reply arrives, the response does not');
  await release('40ms', '.diagram .cross');
  await recorder.hold(1400);
  await recorder.say('It runs its tool again, and sends another reply');
  await release('40ms', '.chip.bad');
  await recorder.hold(800);
  await release('700ms', '.about .status.done');
  await recorder.hold(700);
  const still = recorder.frames.at(-1)!;
  await recorder.say('taskdouble says what is wrong, and which requirement is broken');
  await recorder.click(page.locator('.chip.bad'));
  await page.locator('.finding-box').waitFor();
  await recorder.hold(2000);
  return { frames: recorder.frames, still };
}

/** The finding of that conversation in a page that has room for it. */
async function takeFinding(browser: Browser, baseUrl: string): Promise<AnimationFrame> {
  const page = await browser.newPage({ viewport: { width: 1180, height: 640 }, reducedMotion: 'reduce' });
  await page.goto(baseUrl);
  await page.locator('.item').click();
  await page.locator('.chip.bad').click();
  await page.locator('.finding-box').waitFor();
  await page.mouse.move(0, 0);
  return { png: await page.screenshot(), delay: 0 };
}

/** Holds each request of the client in the page until it is released, so that a frame can be taken between any two. */
async function holdRequests(page: Page) {
  const held: Route[] = [];
  let notify = () => {};
  await page.route('**/api/v1/**', (route) => {
    held.push(route);
    notify();
  });
  const wait = async () => {
    if (held.length === 0) await new Promise<void>((resolve) => (notify = resolve));
  };
  return {
    wait,
    release: async () => {
      await wait();
      // The response may be lost.
      await held.shift()!.continue();
    },
  };
}

function write(name: string, png: Uint8Array): void {
  writeFileSync(join(FOLDER, name), png);
  console.log(`docs/pictures/${name} written, ${Math.round(png.length / 1000)} kB`);
}
