import { LiveApp } from './live-app.js';
import type { PageData } from './page-data.js';
import { RecordingApp } from './recording-app.js';

/** The page: which view it is depends on the data alone. */
export function App({ data }: { data: PageData }) {
  return data.kind === 'live' ? <LiveApp page={data} /> : <RecordingApp page={data} />;
}
