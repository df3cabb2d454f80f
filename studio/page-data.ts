import type { RacePage, RaceScenarioPage } from '../conformance/explore/reproduce/race-page.js';
import type { RecordingPage } from '../conformance/recordings/recording-page.js';
import type { ReportPage } from '../conformance/report/formats/html/report-page.js';
import type { LivePage } from '../mock/pages/serve-files.js';
import type { HostedPage } from '../mock/pages/studio-page.js';

export type { HostedPage, LivePage, RacePage, RaceScenarioPage, RecordingPage, ReportPage };

/** What a file holds. */
export type FilePageData = RecordingPage | ReportPage | RacePage | RaceScenarioPage;

/**
 * What the page shows: a running mock or proxy, a file, or what its host sends. The server and the report writers put it as JSON into the element
 * `#page-data`.
 */
export type PageData = LivePage | HostedPage | FilePageData;

/** Throws an Error if the element is missing or is not JSON. */
export function readPageData(document: Document): PageData {
  const element = document.querySelector('#page-data');
  if (!element)
    throw new Error('This page has no data: open studio at the address that "taskdouble mock" prints.');
  return JSON.parse(element.textContent ?? '') as PageData;
}
