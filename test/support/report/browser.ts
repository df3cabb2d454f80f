import { existsSync } from 'node:fs';

const PLACES = [
  process.env.CHROMIUM,
  // Without windows, which takes half of the time.
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of Chromium; the variable CHROMIUM overrides it. */
export const chromium = PLACES.find((place) => place !== undefined && place !== '' && existsSync(place));

/** Longest wait for a page, ms: a busy machine takes many times what a quiet one does. */
export const PAGE_GUARD_MS = 240_000;

/** If true, tests that need a browser fail without one; otherwise they are skipped. */
export const browserRequired = process.env.CI_BROWSER === '1';
