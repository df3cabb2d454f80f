import { existsSync } from 'node:fs';

const PLACES = [
  process.env.CHROMIUM,
  // The same without windows: in half of the time.
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A Chromium on this machine; the variable CHROMIUM may name one. */
export const chromium = PLACES.find((place) => place !== undefined && place !== '' && existsSync(place));

/** Where a browser has to be there, tests that need one fail without it; elsewhere they are skipped. */
export const browserRequired = process.env.CI_BROWSER === '1';
